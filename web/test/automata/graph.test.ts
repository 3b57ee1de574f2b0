import { describe, expect, it } from "vitest";
import { graphAround, graphOf, shortened } from "../../src/automata/graph.ts";
import { layOut } from "../../src/automata/layout.ts";
import { head, smooth } from "../../src/automata/paths.ts";
import type { Automaton } from "../../src/protocol/messages.ts";
import { handshake } from "../recordings.ts";

const model = handshake().find((said) => said.say === "model")!;
const [finger, lamp] = model.components as [Automaton, Automaton];

describe("the graph of an automaton", () => {
  it("has a box for each location and an arc for each edge", () => {
    const graph = graphOf(lamp);
    expect(graph.boxes.map((box) => box.id)).toEqual(["dark", "dim", "bright"]);
    expect(graph.arcs.map((arc) => `${arc.source} ${arc.target}`)).toEqual([
      "dark dim",
      "dim bright",
      "bright dark",
    ]);
  });
  it("says guard and channel on the edge, and everything in the tooltip", () => {
    const [arc] = graphOf(finger).arcs;
    expect(arc!.lines).toEqual(["press!", "c >= 1"]);
    expect(arc!.about).toBe("wait → wait\nwhen c >= 1\ndo c := 0\nsync press!");
  });
  it("shortens what is too long", () => {
    expect(shortened("a".repeat(40), 10)).toBe(`${"a".repeat(9)}…`);
  });
});

describe("the layout", () => {
  it("keeps boxes apart and inside", () => {
    const graph = graphOf(lamp);
    const places = layOut(graph);
    const ys = graph.boxes.map((box) => places.boxes[box.id]!.y).sort((a, b) => a - b);
    expect(ys[1]! - ys[0]!).toBeGreaterThan(30);
    expect(ys[2]!).toBeLessThan(places.height);
    expect(places.arcs["0"]!.points.length).toBeGreaterThan(1);
  });
  it("draws an edge from a location to itself", () => {
    const places = layOut(graphOf(finger));
    expect(places.arcs["0"]!.points.length).toBeGreaterThan(2);
  });
});

it("locations of bodies name the closed contacts, a few of them", () => {
  const closed = Array.from({ length: 6 }, (_, i) => ({ contact: `a-b${i}`, mode: "slip" }));
  const graph = graphAround({
    nodes: [
      { id: "0", location: "{}", closed: [] },
      { id: "1", location: "{…}", closed },
    ],
    edges: [{ source: "0", target: "1", label: "impact" }],
    current: "0",
  });
  expect(graph.boxes[0]!.lines).toEqual(["all open"]);
  expect(graph.boxes[1]!.lines).toEqual([
    "a-b0 slip",
    "a-b1 slip",
    "a-b2 slip",
    "a-b3 slip",
    "and 2 more",
  ]);
});

it("edges are smooth curves that end where they should", () => {
  const points = [
    { x: 0, y: 0 },
    { x: 10, y: 10 },
    { x: 0, y: 20 },
  ];
  expect(smooth(points)).toBe("M0 0Q10 10 0 20");
  expect(smooth(points.slice(0, 2))).toBe("M0 0L10 10");
  expect(smooth([...points, { x: 10, y: 30 }])).toBe("M0 0Q10 10 5 15Q0 20 10 30");
  expect(head(points.slice(0, 2))).toMatch(/^M10 10L/);
});
