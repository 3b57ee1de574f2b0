import { expect, it, vi } from "vitest";
import type { Diagram } from "../../src/automata/diagram.ts";
import { exploring } from "../../src/automata/explore.ts";
import type { Graph } from "../../src/automata/graph.ts";
import type { App } from "../../src/page/app.ts";
import type { Component } from "../../src/protocol/messages.ts";
import { Known } from "../../src/state/known.ts";

const bodies: Component = {
  name: "bodies",
  kind: "bodies",
  contacts: [{ name: "ball-floor", a: "ball", b: "floor" }],
};
const closed = { id: "{ball-floor: stick}", location: "{ball-floor: stick}", closed: [] };
const open = { id: "{}", location: "{}", closed: [] };

it("what the server tells of the surroundings is drawn, even if a picture is under way", async () => {
  let finish = () => {};
  const shown: string[][] = [];
  const show = (graph: Graph) => {
    shown.push(graph.boxes.map(({ id }) => id));
    return new Promise<void>((resolve) => {
      finish = resolve;
    });
  };
  const diagram = { show, activate: () => {} } as unknown as Diagram;
  const edges = [{ source: "{}", target: closed.id, label: "touch" }];
  const ask = async () => ({ re: 1, ok: true, nodes: [open, closed], edges, current: "{}" });
  const app = { known: new Known(), source: { live: true, ask } } as unknown as App;
  exploring(bodies, diagram, app)();
  expect(shown).toEqual([["{}"]]);
  await Promise.resolve(); // the answer comes while the first picture is laid out
  await Promise.resolve();
  finish();
  await vi.waitFor(() => expect(shown.at(-1)).toEqual(["{ball-floor: stick}", "{}"]));
});
