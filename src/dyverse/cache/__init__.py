"""Where things are kept from run to run."""
