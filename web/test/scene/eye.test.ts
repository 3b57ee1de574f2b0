// @vitest-environment happy-dom
import { Box3, Vector3 } from "three";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Eye } from "../../src/scene/eye.ts";

const [WIDTH, HEIGHT, FOOT] = [614, 362, 42]; // px: the scene of a laptop, and its buttons
const AXES = { up: new Vector3(0, 1, 0), front: new Vector3(0, 0, 1) };
const NAMES = 20; // px over the highest body

/** Where the highest and the lowest corner of a box are on the screen, px from its bottom. */
function heights(eye: Eye, { min, max }: Box3): { low: number; high: number } {
  eye.camera.updateMatrixWorld();
  const ys = [min.x, max.x].flatMap((x) =>
    [min.y, max.y].flatMap((y) =>
      [min.z, max.z].map((z) => eye.spot(new Vector3(x, y, z)).y + HEIGHT / 2),
    ),
  );
  return { low: Math.min(...ys), high: Math.max(...ys) };
}

describe("the camera", () => {
  let eye: Eye;
  beforeEach(() => {
    eye = new Eye(document.createElement("div"), () => {});
    eye.resize(WIDTH, HEIGHT, FOOT);
  });

  const shapes = [
    [1, 1, 1],
    [0.2, 5, 0.2],
    [9, 1, 1],
    [1, 1, 9],
    [1, 0.1, 1],
  ] as const;
  for (const preset of ["front", "free", "top"] as const) {
    for (const flat of [false, true]) {
      it(`keeps bodies clear of the buttons, ${preset}${flat ? ", flat" : ""}`, () => {
        eye.setFlat(flat);
        eye.preset = preset;
        for (const shape of shapes) {
          const box = new Box3(new Vector3(), new Vector3(...shape));
          eye.look(box, AXES);
          const { low, high } = heights(eye, box);
          expect(low).toBeGreaterThan(FOOT + 10);
          expect(high).toBeLessThan(HEIGHT - NAMES);
        }
      });
    }
  }

  it("catches up with a body that falls on and on", () => {
    const clock = vi.spyOn(performance, "now").mockReturnValue(0);
    const box = new Box3(new Vector3(), new Vector3(1, 6, 1));
    eye.look(box, AXES);
    for (let now = 16; now < 800; now += 16) {
      clock.mockReturnValue(now);
      box.min.y -= 0.08; // 5 m/s
      eye.look(box, AXES, true);
      eye.step(now);
    }
    clock.mockRestore();
    expect(heights(eye, box).low).toBeGreaterThan(FOOT);
  });
});
