"""Contact kinematics, one file per pair of shapes."""
