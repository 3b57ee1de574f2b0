"""What a command says and hears: streams, tables, messages, long lists, Ctrl-C."""
