"""Pure arithmetic: numbers in, numbers out."""
