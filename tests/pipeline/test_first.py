from tests.pipeline.scripted import *
def test_x():
    ran = run()
    print(ran.sample.error)
    print(ran.report)
    print(ran.run)
    ran2 = run(Script(**ASKING), arm="interactive")
    print(ran2.sample.error, len(ran2.run.exchanges), ran2.report)
