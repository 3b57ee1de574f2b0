import { Vector3 } from "three";
import { describe, expect, it, vi } from "vitest";
import type { Body, Joint } from "../../src/protocol/messages.ts";
import { BodiesDrawn } from "../../src/scene/bodies.ts";
import { heldBy, Joints, rail, slack } from "../../src/scene/joints.ts";

vi.mock("../../src/scene/painted.ts", async () => {
  const { Texture } = await import("three");
  return { painted: () => new Texture() };
});

const bob: Body = { name: "bob", shape: { kind: "point" }, fixed: false, position: [0, -1, 0] };
const hinge: Joint = {
  name: "hinge",
  kind: "revolute",
  ends: [
    { body: null, at: [0, 0, 0] },
    { body: "bob", at: [0, 1, 0] },
  ],
  axis: [0, 0, 1],
  length: 0,
  limits: null,
};
const up = new Vector3(0, 1, 0);
const half = Math.SQRT1_2;

describe("a hinge", () => {
  const bodies = new BodiesDrawn([bob], "plain");

  it("holds its body wherever that has turned to", () => {
    bodies.show(Float32Array.of(1, 0, 0, half, 0, 0, half)); // a quarter about z
    const { a, b, axis } = heldBy(hinge, bodies)!;
    expect(a.toArray()).toEqual([0, 0, 0]);
    expect(b.distanceTo(a)).toBeCloseTo(0, 6);
    expect(axis.toArray()).toEqual([0, 0, 1]);
  });
  it("is a pin, with a rod to a body that does not reach it", () => {
    const counts = (shape: Body["shape"]) => {
      const drawn = new BodiesDrawn([{ ...bob, shape }], "plain");
      const joints = new Joints([hinge], 1, up);
      joints.show(drawn);
      const [rods, pins, balls] = joints.group.children as unknown as { count: number }[];
      return [rods!.count, pins!.count, balls!.count];
    };
    expect(counts({ kind: "point" })).toEqual([1, 1, 0]);
    expect(counts({ kind: "box", size: [0.1, 2, 0.1] })).toEqual([0, 1, 0]);
    const hand = { shape: { kind: "sphere", radius: 0.1 } as const, turn: [1, 0, 0, 0] as const };
    const there = (at: readonly [number, number, number]) =>
      counts({ kind: "part", parts: [{ ...hand, at }] });
    expect(there([0, -1, 0])).toEqual([1, 1, 0]); // beyond the centre: the rod goes all the way
    expect(there(hinge.ends[1].at)).toEqual([0, 1, 0]);
  });
  it("is not drawn where its body is not", () => {
    expect(
      heldBy({ ...hinge, ends: [hinge.ends[0], { body: "who", at: [0, 0, 0] }] }, bodies),
    ).toBe(null);
  });
});

it("a rope is straight where it is taut, and as long as it is where it hangs", () => {
  const [a, b] = [new Vector3(0, 0, 0), new Vector3(1, 0, 0)];
  const measured = (points: Vector3[]) =>
    points.slice(1).reduce((sum, point, i) => sum + point.distanceTo(points[i]!), 0);
  expect(measured(slack(a, b, 1, up))).toBeCloseTo(1, 9);
  for (const length of [1.05, 1.3, 2]) {
    const points = slack(a, b, length, up);
    expect(Math.abs(measured(points) / length - 1)).toBeLessThan(0.06);
    expect(Math.min(...points.map(({ y }) => y))).toBeLessThan(-0.1);
  }
});

it("a rail goes from limit to limit, or a little beyond", () => {
  const slide: Joint = {
    ...hinge,
    kind: "prismatic",
    axis: [1, 0, 0],
    limits: [-1, 2],
    length: 0.5,
  };
  const [a, b] = [new Vector3(), new Vector3(0.25, 0, 0)];
  const ends = (joint: Joint) => rail(joint, a, b, new Vector3(1, 0, 0), 0.1).map(({ x }) => x);
  expect(ends(slide)).toEqual([-1.5, 1.5]);
  expect(ends({ ...slide, limits: null })).toEqual([-0.1, 0.35]);
});
