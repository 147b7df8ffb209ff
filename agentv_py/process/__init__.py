"""A command → a child process, its pipes, its orphans."""
