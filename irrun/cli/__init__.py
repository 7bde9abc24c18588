"""The command line: one command a file, each importing what it needs when it runs."""
