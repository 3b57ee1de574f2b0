import { PerspectiveCamera, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { arms, Compass } from "../../src/scene/compass.ts";

function looking(from: [number, number, number], up: [number, number, number]): PerspectiveCamera {
  const camera = new PerspectiveCamera();
  camera.up.set(...up);
  camera.position.set(...from);
  camera.lookAt(0, 0, 0);
  return camera;
}

const letters = (compass: Compass) =>
  [...compass.node.querySelectorAll("text")].map((node) => node.textContent);

describe("the compass", () => {
  it("has x to the right and y upwards for someone in front", () => {
    const seen = new Map(arms(looking([0, 0, 5], [0, 1, 0]).quaternion).map((a) => [a.axis, a]));
    expect(seen.get("x")?.x).toBeCloseTo(1);
    expect(seen.get("y")?.y).toBeCloseTo(-1); // screens count downwards
    expect(seen.get("z")?.towards).toBeCloseTo(1);
  });
  it("draws what points to the eye over what points away", () => {
    const seen = arms(looking([3, -4, 2], [0, 0, 1]).quaternion);
    expect(seen.map(({ axis }) => axis)).toEqual(["y", "z", "x"]);
  });
  it("points where the camera sees the axes", () => {
    const camera = looking([3, -4, 2], [0, 0, 1]);
    camera.updateMatrixWorld();
    for (const { axis, x, y } of arms(camera.quaternion)) {
      const end = new Vector3().setComponent("xyz".indexOf(axis), 1e-3);
      const { x: right, y: up } = end.project(camera);
      expect(Math.atan2(-y, x)).toBeCloseTo(Math.atan2(up, right), 2);
    }
  });
  it("leaves out an axis along the line of sight, and says which are in sight", () => {
    const compass = new Compass();
    compass.show(looking([0, 0, 5], [0, 1, 0]));
    expect(letters(compass).sort()).toEqual(["x", "y"]);
    expect(compass.node.getAttribute("aria-label")).toMatch(/x.*y|y.*x/);
  });
});
