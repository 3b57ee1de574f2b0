"""The server: pages, who may use it, and the processes of stages and searches."""
