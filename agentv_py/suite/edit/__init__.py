"""A file of a user and a new value → the file with that value, and every other character as it was."""
