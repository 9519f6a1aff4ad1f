"""Text into units: tokens, citations."""
