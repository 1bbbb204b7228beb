"""The machine that the program runs on: files, streams, sockets, processes, text that leaves, code from outside."""
