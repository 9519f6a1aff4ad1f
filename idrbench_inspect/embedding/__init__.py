"""Texts into unit vectors: embedders behind one protocol, each distinct text embedded once, and kept."""
