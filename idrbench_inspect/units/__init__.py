"""Text into units: sentences, paragraphs, chunks, tokens, citations."""
