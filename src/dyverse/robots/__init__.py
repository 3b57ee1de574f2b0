"""Robots of others, URDF and MJCF, as worlds. Both are read by MuJoCo, if it is there."""
