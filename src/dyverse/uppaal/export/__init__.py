"""Networks written for checkers: UPPAAL's symbolic and statistical ones, and TChecker."""
