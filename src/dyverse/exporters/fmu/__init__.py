"""Models as FMUs, archives for tools that simulate or co-simulate them."""
