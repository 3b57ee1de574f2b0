import { OrthographicCamera, Raycaster, Vector2, Vector3 } from "three";
import { expect, it, vi } from "vitest";
import type { Body } from "../../src/protocol/messages.ts";
import { BodiesDrawn } from "../../src/scene/bodies.ts";
import { sizeOf } from "../../src/scene/frame.ts";

vi.mock("../../src/scene/painted.ts", async () => {
  const { Texture } = await import("three");
  return { painted: () => new Texture() };
});

function body(name: string, change: Partial<Body> = {}): Body {
  const shape = { kind: "sphere" as const, radius: 0.5 };
  return { name, shape, fixed: false, position: [0, 0, 0], ...change };
}

const half = Math.SQRT1_2;
const bodies = [
  body("post", { fixed: true, position: [5, 0, 0] }),
  body("a"),
  body("plank", {
    fixed: true,
    shape: { kind: "box", size: [4, 1, 1] },
    orientation: [half, 0, 0, half], // a quarter about z
    position: [0, 9, 0],
  }),
  body("b", { position: [0, 3, 0] }),
];

it("moving bodies are where frames say, the others where they stand", () => {
  const drawn = new BodiesDrawn(bodies, "plain");
  const frame = [1, 2, 3, 1, 0, 0, 0, -1, -2, -3, 1, 0, 0, 0];
  drawn.show(Float32Array.from(frame));
  const at = (name: string) => drawn.where(name, new Vector3())?.toArray();
  expect(at("a")).toEqual([1, 2, 3]);
  expect(at("b")).toEqual([-1, -2, -3]);
  expect(at("post")).toEqual([5, 0, 0]);
  expect(at("nobody")).toBeUndefined();
});

it("only moving bodies can be taken hold of", () => {
  const drawn = new BodiesDrawn(bodies, "plain");
  const along = (x: number, y: number) => {
    drawn.group.updateMatrixWorld(true);
    return drawn.hit(new Raycaster(new Vector3(x, y, 10), new Vector3(0, 0, -1)))?.name;
  };
  expect(along(0, 3)).toBe("b");
  expect(along(5, 0)).toBeUndefined();
});

it("a fixed body lies as it is turned", () => {
  const drawn = new BodiesDrawn(bodies, "plain");
  const { mesh, instance } = drawn.placed.find((placed) => placed.body.name === "plank")!;
  const end = new Vector3(0.5, 0, 0); // of the unit box, to be stretched to 4 m
  const matrix = mesh.matrix.clone();
  mesh.getMatrixAt(instance, matrix);
  expect(end.applyMatrix4(matrix).distanceTo(new Vector3(0, 11, 0))).toBeCloseTo(0, 6);
});

it("a body of several parts moves and turns as one", () => {
  const ball = { kind: "sphere" as const, radius: 0.1 };
  const parts = [
    { shape: ball, at: [1, 0, 0] as const },
    { shape: { kind: "box" as const, size: [1, 1, 1] as const }, at: [0, 0, 2] as const },
  ];
  const drawn = new BodiesDrawn([body("hammer", { shape: { kind: "part", parts } })], "plain");
  drawn.show(Float32Array.from([5, 6, 7, half, 0, 0, half])); // a quarter about z
  const places = drawn.placed.map(({ mesh, instance }) => {
    const matrix = mesh.matrix.clone();
    mesh.getMatrixAt(instance, matrix);
    return new Vector3().setFromMatrixPosition(matrix);
  });
  expect(places[0]!.distanceTo(new Vector3(5, 7, 7))).toBeCloseTo(0, 6);
  expect(places[1]!.distanceTo(new Vector3(5, 6, 9))).toBeCloseTo(0, 6);
  expect(drawn.where("hammer", new Vector3())!.toArray()).toEqual([5, 6, 7]);
  expect(sizeOf({ shape: { kind: "part", parts } })).toBeCloseTo(2 + Math.sqrt(3) / 2);
});

it("a part may be turned on its body", () => {
  const box = { kind: "box" as const, size: [2, 1, 1] as const };
  const parts = [{ shape: box, at: [1, 0, 0] as const, turn: [half, 0, half, 0] as const }];
  const drawn = new BodiesDrawn([body("hammer", { shape: { kind: "part", parts } })], "plain");
  drawn.show(Float32Array.from([0, 0, 0, half, 0, 0, half])); // a quarter about z
  const { mesh, instance } = drawn.placed[0]!;
  const matrix = mesh.matrix.clone();
  mesh.getMatrixAt(instance, matrix);
  const end = new Vector3(0.5, 0, 0).applyMatrix4(matrix); // of the unit box: about y it goes to -z
  expect(end.distanceTo(new Vector3(0, 1, -1))).toBeCloseTo(0, 6);
});

it("a point is found near its centre, though no ray hits it", () => {
  const specks = [
    body("speck", { shape: { kind: "point" }, position: [1, 0, 0] }),
    body("wall", { fixed: true, position: [-1, 0, 0] }),
  ];
  const drawn = new BodiesDrawn(specks, "flat");
  const camera = new OrthographicCamera(-2, 2, 2, -2, 0.1, 20);
  camera.position.set(0, 0, 10);
  camera.updateMatrixWorld();
  const reach = new Vector2(0.05, 0.05);
  expect(drawn.near(new Vector2(0.53, 0.02), camera, reach)?.name).toBe("speck");
  expect(drawn.near(new Vector2(0.6, 0), camera, reach)).toBeNull();
  expect(drawn.near(new Vector2(-0.5, 0), camera, reach)).toBeNull(); // it does not move
});

it("the name of a long body that lies is near its middle", () => {
  const rod = { kind: "box", size: [1.4, 0.05, 0.05] } as const;
  const up = new Vector3(0, 1, 0);
  const lying = new BodiesDrawn([body("rod", { shape: rod })], "plain");
  expect(lying.height("rod", up)).toBeCloseTo(0.025);
  const orientation = [Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const;
  const upright = new BodiesDrawn([body("rod", { shape: rod, orientation })], "plain");
  expect(upright.height("rod", up)).toBeCloseTo(0.7);
});

it("a body reaches as high as the highest of its parts, as it lies", () => {
  const ball = { kind: "sphere", radius: 0.5 } as const;
  const parts = [{ shape: ball, at: [2, 0, 0] as const, turn: [1, 0, 0, 0] as const }];
  const half = Math.SQRT1_2;
  const orientation = [half, 0, 0, half] as const; // x points up along y
  const turned = body("hammer", { shape: { kind: "part", parts }, orientation });
  const drawn = new BodiesDrawn([turned], "plain");
  expect(drawn.height("hammer", new Vector3(0, 1, 0))).toBeCloseTo(2.5);
  expect(drawn.height("hammer", new Vector3(1, 0, 0))).toBeCloseTo(0.5);
});
