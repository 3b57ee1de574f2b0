"""Model texts that are right, for tests of reading, printing and fuzzing."""

SKETCH = """\
# The interception game: ball 2 is steered to catch ball 1.
parameter K = 2 in [1, 3]
gravity (0, -9.81, 0)
body ball1 { sphere radius 0.5  mass 1  position (0, 3, 0)    velocity (1, 1, 0) }
body ball2 { sphere radius 0.5  mass 1  position (1.5, 0, 0) }
input u1 = -K*(ball2.x - ball1.x), u2 = -100*ball2.y, u3 = -100*(ball2.z - ball1.z)
force ball2 (u1, u2, u3)
contact ball1 ball2 { restitution 0.8  friction 0.3 }
property caught: always ball1.y > 0 until 2
"""

EVERYTHING = """\
parameter K = 2 * L in [1, 3 * L]  // one parameter by another
parameter L = 1
parameter mass = 2e-1
gravity (0, -9.81, 0)
body ball1 {
  sphere radius 0.5  mass mass  inertia .1
  position (0, 3, 0)  rotation (0, 0, pi/2)  velocity (K, 1, 0)  spin (0, 0, -1)
}
body ball2 { position (1.5, 1, 0)  mass 1  sphere radius L/2 }
body post { sphere radius 0.1  position (9, 5, 0)  fixed }
body floor { plane normal (0, 1, 0)  position (0, -1, 0)  fixed }
input u1 = -K*(ball2.x - ball1.x) + sin(2*pi*t), u2, u3 = max(u1, -u2)^2
force ball2 (u1, u2, u3)
torque ball1 (0, 0, u2)
spring ball1 ball2 { stiffness 10  length 1  damping 0.1 }
spring ball2 (0, 5, 0) { stiffness K }
damper ball1 post { damping 1 }
contact all { restitution 0.9 }
contact ball1 ball2 { restitution 0.8  tangential_restitution -0.5
                      friction 0.3 + 0.2*exp(-slip_speed) }
contact ball1 post off
property up: always ball1.y > 0 and (gap[ball2,ball1] >= 0 or not u1 == 3) until 2*L
property calm: always energy < 100
horizon 2
"""

CRADLE = """\
gravity (0, -9.81, 0)
parameter r = 0.05
body a { sphere radius r  mass 1  position (-0.4, 0, 0)  velocity (1, 0, 0) }
body b { sphere radius r  mass 1  position (0, 0, 0) }
body c { sphere radius r  mass 1  position (2*r, 0, 0) }
contact all off
contact a b { }
contact b c { friction 0.1 }
horizon 3
"""

MODELS = {"sketch": SKETCH, "everything": EVERYTHING, "cradle": CRADLE, "empty": ""}
