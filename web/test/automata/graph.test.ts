import { describe, expect, it } from "vitest";
import { firstTab, shortTabs } from "../../src/automata/automata.ts";
import { Explored } from "../../src/automata/explore.ts";
import { eventLines, graphAround, graphOf, shortened, wrapped } from "../../src/automata/graph.ts";
import { border, layOut, scaleIn } from "../../src/automata/layout.ts";
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
  it("says only in the tooltip what long names stand for", () => {
    const [guard, where] = ["gap[a,b] < 1", "gap[a,b] = a.y - 0.5 - b.y"];
    const edges = [{ ...finger.edges[0]!, guard, where }];
    const [arc] = graphOf({ ...finger, edges }).arcs;
    expect(arc!.lines).toEqual(["press!", guard]);
    expect(arc!.about).toContain(`when ${guard}\nwhere ${where}\n`);
    const locations = finger.locations.map((one) => ({ ...one, invariant: guard, where }));
    const [box] = graphOf({ ...finger, locations }).boxes;
    expect(box!.lines.slice(1).join(" ")).toBe(guard);
    expect(box!.about).toContain(`where ${where}`);
  });
  it("leaves its own first name out of variables, and no other", () => {
    const guard = "lamp.light > 0 and finger.c < blamp.x";
    const edges = [{ ...lamp.edges[0]!, sync: "", guard }];
    expect(graphOf({ ...lamp, edges }).arcs[0]!.about).toContain(
      "light > 0 and finger.c < blamp.x",
    );
  });
  it("does so also where that name has brackets", () => {
    const edges = [{ ...lamp.edges[0]!, sync: "", guard: "Train(0).x > Train(1).x" }];
    const [arc] = graphOf({ ...lamp, name: "Train(0)", edges }).arcs;
    expect(arc!.about).toContain("when x > Train(1).x");
  });
  it("breaks long conditions before and, or", () => {
    expect(wrapped("ball.vy > 0 and y < 1")).toEqual(["ball.vy > 0", "and y < 1"]);
    expect(wrapped("a and b")).toEqual(["a and b"]);
    expect(wrapped("aaaaaaaaaa and bbbbbbbbbb or cccccccccc")).toEqual([
      "aaaaaaaaaa",
      "and bbbbbbbbbb …",
    ]);
    expect(wrapped("")).toEqual([""]);
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
  it("is larger downwards in a high pane and to the right in a low one", () => {
    const [down, right] = [false, true].map((wide) => layOut(graphOf(lamp), { wide }));
    const [high, low] = [
      { width: 200, height: 400 },
      { width: 400, height: 100 },
    ];
    expect(scaleIn(down!, high)).toBeGreaterThan(scaleIn(right!, high));
    expect(scaleIn(down!, low)).toBeLessThan(scaleIn(right!, low));
  });
  it("needs less room where there is little", () => {
    for (const wide of [false, true]) {
      const [roomy, tight] = [false, true].map((one) =>
        layOut(graphOf(lamp), { wide, tight: one }),
      );
      expect(tight!.height).toBeLessThan(roomy!.height);
      expect(tight!.width).toBeLessThan(roomy!.width);
      expect(tight!.arcs["0"]!.instead ?? false).toBe(!wide);
    }
  });
  it("draws an edge from a location to itself", () => {
    const places = layOut(graphOf(finger));
    const { points, label } = places.arcs["0"]!;
    const side = places.boxes.wait!.x + graphOf(finger).boxes[0]!.width / 2;
    expect([points[0]!.x, points.at(-1)!.x]).toEqual([side, side]);
    expect(label.x).toBeGreaterThan(side);
    expect(places.width).toBeGreaterThan(label.x + graphOf(finger).arcs[0]!.width / 2);
  });
  it("ends edges at the border of their boxes", () => {
    const box = { ...graphOf(finger).boxes[0]!, width: 40, height: 20 };
    expect(border(box, { x: 0, y: 0 }, { x: 0, y: 99 })).toEqual({ x: 0, y: 10 });
    expect(border(box, { x: 0, y: 0 }, { x: -80, y: 20 })).toEqual({ x: -20, y: 5 });
  });
});

it("locations of bodies name the closed contacts where they are few, and count them else", () => {
  const closed = Array.from({ length: 6 }, (_, i) => ({ contact: `a-b${i}`, mode: "stick" }));
  const graph = graphAround({
    nodes: [
      { id: "0", location: "{}", closed: [] },
      { id: "1", location: "{…}", closed: [...closed, { contact: "c-d", mode: "slip" }] },
    ],
    edges: [{ source: "0", target: "1", label: "impact" }],
    current: "0",
  });
  expect(graph.boxes.map((box) => box.lines)).toEqual([
    ["all open"],
    ["6 contacts stick", "c-d slip"],
  ]);
});

it.each([
  ["impact{a-b}", ["a-b stick"], ["impact"]],
  ["impact{a-b}", ["4 contacts stick"], ["impact", "a-b"]],
  ["impact{a-b, c-d, e-f}", ["c-d slip"], ["impact", "a-b +1"]],
  ["release", ["all open"], ["release"]],
  ["", [], []],
])("edge %s to %j says %j", (label, behind, lines) => {
  expect(eventLines(label, behind)).toEqual(lines);
});

it("edges are smooth curves through their points that end where they should", () => {
  const points = [
    { x: 0, y: 0 },
    { x: 10, y: 10 },
    { x: 0, y: 20 },
  ];
  expect(smooth(points)).toBe("M0 0C1.7 1.7 10 6.7 10 10C10 13.3 1.7 18.3 0 20");
  expect(smooth(points.slice(0, 2))).toBe("M0 0L10 10");
  const passed = smooth([...points, { x: 10, y: 30 }])
    .split(/[MC]/)
    .slice(1);
  expect(passed.map((piece) => piece.split(" ").slice(-2).join(" "))).toEqual([
    "0 0",
    "10 10",
    "0 20",
    "10 30",
  ]);
  expect(head(points.slice(0, 2))).toMatch(/^M10 10L/);
});

it("the first diagram is the one with the most to tell, or all where there is room", () => {
  expect(firstTab(null)).toBe(null);
  expect(firstTab({ ...model, components: [finger, lamp] })).toBe("lamp");
  expect(firstTab({ ...model, components: [lamp, finger] })).toBe("lamp");
  expect(firstTab({ ...model, components: [finger, lamp], scene: [] })).toBe("all");
});

describe("exploring", () => {
  const node = (id: string) => ({ id, location: id, closed: [] });

  it("stays small however long the run is", () => {
    const explored = new Explored();
    for (let i = 0; i < 2000; i++) explored.visit(node(String(i % 700)), "impact");
    expect(explored.size).toBeLessThan(100);
  });

  it("grows as the run visits, with the edges that it took", () => {
    const explored = new Explored();
    for (const id of ["a", "b", "a", "c"]) explored.visit(node(id), "impact");
    const { nodes, edges, current } = explored.neighbourhood;
    expect(nodes.map(({ id }) => id).sort()).toEqual(["a", "b", "c"]);
    expect(edges.map(({ source, target }) => source + target)).toEqual(["ab", "ba", "ac"]);
    expect(current).toBe("c");
  });
  it("draws the same places alike, whatever was visited last", () => {
    const explored = new Explored();
    for (const id of ["a", "b", "a"]) explored.visit(node(id), "impact");
    const { key } = graphAround(explored.neighbourhood);
    explored.visit(node("b"), "impact");
    expect(graphAround(explored.neighbourhood).key).toBe(key);
  });
  it("stays small, and forgets what was visited longest ago", () => {
    const explored = new Explored();
    for (let i = 0; i < 100; i++) explored.visit(node(String(i)), "");
    const { nodes, edges } = explored.neighbourhood;
    expect(nodes.length).toBe(24);
    expect(nodes.at(-1)!.id).toBe("99");
    expect(edges.every(({ source }) => Number(source) >= 76)).toBe(true);
  });
  it("learns from the server without forgetting where it is", () => {
    const explored = new Explored();
    explored.visit(node("a"), "");
    const edges = [{ source: "a", target: "b", label: "slip" }];
    explored.learn({ nodes: [node("a"), node("b")], edges, current: "a" });
    expect(explored.neighbourhood).toMatchObject({ current: "a", edges });
  });
});

it("tabs of many long names leave out what they share", () => {
  const names = ["heating_of_building_1", "heating_of_building_2"];
  expect(names.map(shortTabs(names))).toEqual(["…1", "…2"]);
  expect(["Train(0)", "Gate"].map(shortTabs(["Train(0)", "Gate"]))).toEqual(["Train(0)", "Gate"]);
  expect(shortTabs(names)("all")).toBe("all");
});
