import { Box3, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { Drawing, Shape } from "../../src/protocol/messages.ts";
import { apart, boundSignals, Drawings, textOf } from "../../src/scene/drawings.ts";
import {
  axesOf,
  extent,
  gridStep,
  reach,
  roomy,
  sizeOf,
  startBounds,
} from "../../src/scene/frame.ts";
import { drawsInSoftware, LEVELS, Pace, pixels } from "../../src/scene/quality.ts";
import { formKey, formOf, isSolid, type Solid, stretchOf } from "../../src/scene/shapes.ts";
import { Track } from "../../src/scene/track.ts";
import { arrowOf, overlap } from "../../src/scene/world.ts";
import { bouncingBall } from "../recordings.ts";

describe("quality", () => {
  let now = 0;
  const draw = (pace: Pace, gap: number, pictures: number, late = true) => {
    let changes = 0;
    pace.drawn(now, false);
    for (let i = 0; i < pictures; i++) {
      now += gap;
      if (pace.drawn(now, late)) changes++;
    }
    return changes;
  };

  it("steps down where pictures come slowly, to the last level and no further", () => {
    const pace = new Pace();
    expect(draw(pace, 100, 500)).toBe(LEVELS.length - 1);
    expect(pace.quality.shadows).toBe(0);
  });
  it("stays where pictures come as they should", () => {
    const pace = new Pace(1);
    expect(draw(pace, 33, 500)).toBe(0);
  });
  it("does not let anyone wait for a dozen pictures of seconds", () => {
    const pace = new Pace(2);
    expect(draw(pace, 2400, 1)).toBe(0); // once may be anything
    expect(draw(pace, 2400, 5)).toBeGreaterThanOrEqual(2);
  });
  it("does not blame a model that comes slowly, or a pause", () => {
    const pace = new Pace();
    expect(draw(pace, 300, 50, false)).toBe(0);
  });
  it("steps up where there is room, but never back to what was too slow", () => {
    const pace = new Pace(2);
    draw(pace, 16, 600);
    expect(pace.level).toBe(0);
    draw(pace, 100, 14);
    expect(pace.level).toBe(1);
    draw(pace, 16, 600);
    expect(pace.level).toBe(1);
  });
  it("draws fewer pixels at every level, on any screen", () => {
    for (const screen of [0.5, 1, 1.25, 2, 3]) {
      const drawn = LEVELS.map((level) => pixels(level, screen));
      expect(drawn).toEqual([...drawn].sort((a, b) => b - a));
      expect(drawn.at(-1)).toBeLessThan(Math.min(1, screen) / 2);
    }
  });
  it("knows renderers in software", () => {
    expect(drawsInSoftware("ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device))")).toBe(true);
    expect(drawsInSoftware("NVIDIA GeForce RTX 4090")).toBe(false);
  });
});

describe("a track", () => {
  const at = (x: number) => Float32Array.of(x, 0, 0, 1, 0, 0, 0, -x, 0, 0, 1, 0, 0, 0);
  const xs = (track: Track, from: number, to: number, body = 0) => {
    const out = new Float32Array(300);
    const count = track.path(body, from, to, out, 100);
    return Array.from({ length: count }, (_, i) => out[3 * i]);
  };

  it("is in order of time, whatever order frames come in", () => {
    const track = new Track();
    for (const x of [1, 4, 2, 3, 2]) track.add(x, at(x));
    expect(xs(track, 0, 9)).toEqual([1, 2, 3, 4]);
    expect(xs(track, 1, 3, 1)).toEqual([-2, -3]);
  });
  it("is cut where a run forks", () => {
    const track = new Track();
    for (const x of [1, 2, 3, 4]) track.add(x, at(x));
    const ghost = track.cut(2.5);
    expect(xs(track, 0, 9)).toEqual([1, 2]);
    expect(xs(ghost, 0, 9)).toEqual([3, 4]);
  });
  it("stays bounded in an endless run", () => {
    const track = new Track();
    for (let i = 0; i < 20000; i++) track.add(i, at(i));
    expect(track.length).toBeLessThanOrEqual(3000);
    expect(xs(track, -1, 1e9).length).toBeLessThanOrEqual(100);
  });
});

describe("the frame of a picture", () => {
  const model = bouncingBall().find((said) => said.say === "model")!;

  it("reaches from the ball down to the floor", () => {
    const box = startBounds(model);
    expect(box.min.y).toBe(0);
    expect(box.max.y).toBeCloseTo(2.5, 9);
    const { up, front } = axesOf(model);
    const { width, height } = extent(box, front, up);
    expect(height).toBeCloseTo(1.25, 9);
    expect(width).toBeCloseTo(0.25, 9);
  });
  it("leaves room around a body that is alone, and none where there is more to see", () => {
    const [ball, floor] = model.bodies;
    const lying = { ...ball!, position: [0, 0.25, 0] as const };
    const box = startBounds({ ...model, bodies: [lying, floor!] });
    expect(box.max.y - box.min.y).toBeCloseTo(0.5, 9);
    const wider = roomy(box, [lying, floor!]);
    expect(wider.max.y - wider.min.y).toBeCloseTo(0.9, 9);
    expect(roomy(box, [lying, lying])).toEqual(box);
  });
  it("goes around the parts of a body where they are, not around all that it could sweep", () => {
    const ball = { kind: "sphere" as const, radius: 0.1 };
    const parts = [{ shape: ball, at: [1, 0, 0] as const, turn: [1, 0, 0, 0] as const }];
    const half = Math.SQRT1_2;
    const arm = { name: "arm", shape: { kind: "part" as const, parts }, fixed: false };
    const turned = {
      ...arm,
      position: [0, 2, 0] as const,
      orientation: [half, 0, 0, half] as const,
    };
    const box = startBounds({ ...model, bodies: [turned] });
    expect(box.min.toArray().map((value) => value.toFixed(6))).toEqual(
      [-0.1, 2.9, -0.1].map((value) => value.toFixed(6)),
    );
  });
  it("goes around what is fixed as it lies: a rail is not as high as it is long", () => {
    const shape = { kind: "box" as const, size: [4, 0.2, 0.4] as const };
    const half = Math.SQRT1_2;
    const orientation = [half, 0, 0, half] as const; // upright
    const post = { name: "post", shape, fixed: true, position: [1, 0, 0] as const, orientation };
    const near = (box: Box3) => box.max.toArray().map((value) => Number(value.toFixed(6)));
    expect(near(startBounds({ ...model, bodies: [post] }))).toEqual([1.1, 2, 0.2]);
    const parts = [{ shape, at: [2, 0, 0] as const, turn: orientation }];
    const stair = { ...post, shape: { kind: "part" as const, parts } };
    expect(near(startBounds({ ...model, bodies: [stair] }))).toEqual([3, 2.1, 0.2]);
  });
  it.each([
    [[0, -9.81, 0], "xy", [0, 1, 0], [0, 0, 1]],
    [[0, 0, -9.81], null, [0, 0, 1], [0, -1, 0]],
    [[0, 0, 0], "xz", [0, 0, 1], [0, -1, 0]],
  ] as const)("with gravity %o in plane %s has up %o and front %o", (gravity, plane, up, front) => {
    const axes = axesOf({ gravity, plane });
    expect(axes.up.distanceTo(new Vector3(...up))).toBeCloseTo(0, 9);
    expect(axes.front.distanceTo(new Vector3(...front))).toBeCloseTo(0, 9);
  });
  it("is seen whole from far enough away, and not from nearer", () => {
    const box = new Box3(new Vector3(-2, -1, -1), new Vector3(2, 1, 1));
    const [front, up] = [new Vector3(0, 0, 1), new Vector3(0, 1, 0)];
    expect(reach(box, front, up, 0.5, 2)).toBeCloseTo(1 / 0.5 + 1, 9); // the near upper edge
    expect(reach(box, front, up, 0.5, 0.5)).toBeCloseTo(2 / 0.25 + 1, 9); // the near right edge
  });
  it("has a grid of round steps", () => {
    expect([2.5, 20, 0.06].map(gridStep)).toEqual([0.5, 5, 0.01]);
  });
});

describe("drawings", () => {
  const drawings: Drawing[] = [
    { kind: "box", at: [0, "tank.level", 0], size: [1, "tank.level", 1], colour: "sky" },
    { kind: "text", at: [0, 0, 0], text: "level", value: "tank.level", digits: 1, unit: "m" },
    { kind: "circle", at: [2, 0, 0], radius: 0.5, show: "lamp.on" },
    { kind: "line", from: [0, 0, 0], to: ["arm.x", 1, 0], width: 0.1 },
  ];
  const values: Record<string, number> = { "tank.level": 0.75, "lamp.on": 0, "arm.x": 3 };
  const known = (name: string) => values[name] ?? Number.NaN;

  it("name the signals that they read, and nothing else", () => {
    expect(boundSignals(drawings)).toEqual(["tank.level", "lamp.on", "arm.x"]);
  });
  it("are where their signals say", () => {
    const drawn = new Drawings(drawings, true);
    drawn.show(known, 0.01);
    const [box, , lamp, arm] = drawn.group.children;
    expect(box!.position.y).toBe(0.75);
    expect(box!.scale.y).toBe(0.75);
    expect(lamp!.visible).toBe(false);
    expect(arm!.scale.y).toBeCloseTo(Math.hypot(3, 1), 9);
    const around = new Box3();
    drawn.bounds(around);
    expect(around.max.x).toBeCloseTo(3, 0);
  });

  it("wait for their signals, and make no room until then", () => {
    const drawn = new Drawings(drawings, true);
    drawn.show(() => Number.NaN, 0.01);
    expect(drawn.group.children[0]!.visible).toBe(false);
    const around = new Box3();
    drawn.bounds(around);
    expect([...around.min.toArray(), ...around.max.toArray()].some(Number.isNaN)).toBe(false);
    drawn.show(known, 0.01);
    expect(drawn.group.children[0]!.visible).toBe(true);
  });
  it("write values with digits and units", () => {
    const text = drawings[1] as Extract<Drawing, { kind: "text" }>;
    expect(textOf(text, known)).toBe("level 0.8\u202fm");
  });
});

describe("forms", () => {
  const shapes: Solid[] = [
    { kind: "sphere", radius: 0.5 },
    { kind: "ellipsoid", axes: [0.5, 0.5, 0.5] },
    { kind: "box", size: [1, 1, 1] },
    { kind: "cylinder", radius: 0.5, length: 1 },
    { kind: "capsule", radius: 0.25, length: 0.5 },
    { kind: "disc", radius: 0.2, rounding: 0.5 },
    {
      kind: "mesh",
      vertices: [
        [-0.5, -0.5, -0.5],
        [0.5, 0.5, -0.5],
        [0.5, -0.5, 0.5],
      ],
      faces: [[0, 1, 2]],
    },
  ];
  it.each(shapes.map((shape) => [shape.kind, shape] as const))(
    "of a %s fill its size",
    (_, shape) => {
      const form = formOf(shape, 1);
      const stretch = stretchOf(shape);
      form.scale(stretch.x, stretch.y, stretch.z).computeBoundingBox();
      const size = form.boundingBox!.getSize(new Vector3());
      expect(size.z).toBeCloseTo(1, 2);
      const across = { capsule: 0.5, disc: 1.4 }[shape.kind as string] ?? 1;
      expect(size.x).toBeCloseTo(across, 2);
    },
  );
  it("that are not known here are left out", () => {
    const shape = { kind: "torus", radius: 1 } as unknown as Shape;
    expect(isSolid(shape)).toBe(false);
    expect(sizeOf({ shape })).toBe(0);
  });
  it("of many bodies together stay affordable", () => {
    const corners = (count: number) =>
      count * formOf({ kind: "sphere", radius: 1 }, count).getAttribute("position").count;
    expect(corners(1)).toBeGreaterThan(500);
    expect(corners(100)).toBeLessThan(20_000);
  });
  it("are shared by bodies that are alike", () => {
    expect(formKey({ kind: "sphere", radius: 1 })).toBe(formKey({ kind: "sphere", radius: 2 }));
    const capsule = (radius: number) => formKey({ kind: "capsule", radius, length: 1 });
    expect(capsule(1)).not.toBe(capsule(2));
  });
});

it("names cover each other where both their lines and their letters meet", () => {
  const spot = (x: number, y: number) => ({ x, y, width: 40 });
  expect(overlap(spot(0, 0), spot(39, 5))).toBe(true);
  expect(overlap(spot(0, 0), spot(41, 5))).toBe(false);
  expect(overlap(spot(0, 0), spot(10, 20))).toBe(false);
});

it("arrows are as long as bodies and picture allow", () => {
  const ball = (radius: number) => ({
    name: "b",
    shape: { kind: "sphere" as const, radius },
    fixed: false,
    position: [0, 0, 0] as const,
  });
  expect(arrowOf({ bodies: [ball(0.2)] }, 1)).toBeCloseTo(0.6); // not beyond the picture
  expect(arrowOf({ bodies: [ball(0.1), ball(0.1), ball(9)] }, 2)).toBeCloseTo(0.3);
  expect(arrowOf({ bodies: [ball(1e-3)] }, 2)).toBeCloseTo(0.16); // and always to be seen
});

it("words that would cover each other are raised, the lowest not at all", () => {
  const at = (x: number, y: number) => ({ x, y, width: 100, height: 20 });
  expect(apart([at(0, 0), at(0, 50)])).toEqual([0, 0]);
  expect(apart([at(0, 5), at(40, 0)])).toEqual([15, 0]);
  expect(apart([at(0, 5), at(100, 0)])).toEqual([0, 0]); // beside each other
  expect(apart([at(0, 0), at(0, 19), at(0, 38)])).toEqual([0, 1, 2]);
});
