"""Pure arithmetic: numbers in, numbers out. Alignment measures are fractions, 0 to 1, until somebody prints them."""
