// Automata too large to be drawn: the surroundings of the current location, growing as the run visits
// more of it.
import type { App } from "../page/app.ts";
import type { Component, Neighbourhood } from "../protocol/messages.ts";
import { spaced } from "../state/cell.ts";
import { isContactMode, OPEN } from "../state/lanes.ts";
import type { Diagram } from "./diagram.ts";
import { graphAround } from "./graph.ts";

/** More locations than this are explored, not drawn. */
export const LARGE = 40;
const MOST = 24; // locations in sight
const GAP = 500; // ms between two pictures of a run that is played

type Node = Neighbourhood["nodes"][number];
type Link = Neighbourhood["edges"][number];

/** What has been seen of an automaton: places visited last stay longest. */
export class Explored {
  private nodes = new Map<string, Node>();
  private links = new Map<string, Link>();
  current = "";

  /** The run is at `node`, perhaps through an edge from where it was. */
  visit(node: Node, label: string): void {
    if (node.id === this.current) return;
    const before = this.current;
    this.current = node.id;
    this.nodes.delete(node.id);
    this.nodes.set(node.id, node);
    if (this.nodes.has(before)) this.link({ source: before, target: node.id, label });
    this.forget();
  }

  /** What the server says of the surroundings. */
  learn({ nodes, edges }: Neighbourhood): void {
    for (const node of nodes) {
      if (this.nodes.size >= MOST) break;
      if (!this.nodes.has(node.id)) this.nodes.set(node.id, node);
    }
    for (const edge of edges) this.link(edge);
  }

  get neighbourhood(): Neighbourhood {
    const known = (link: Link) => this.nodes.has(link.source) && this.nodes.has(link.target);
    return {
      nodes: [...this.nodes.values()],
      edges: [...this.links.values()].filter(known),
      current: this.current,
    };
  }

  private link(link: Link): void {
    const key = `${link.source}\n${link.target}`;
    if (!this.links.has(key)) this.links.set(key, link);
  }

  private forget(): void {
    for (const id of [...this.nodes.keys()].slice(0, Math.max(0, this.nodes.size - MOST))) {
      this.nodes.delete(id);
    }
    for (const [key, { source, target }] of this.links) {
      if (!this.nodes.has(source) && !this.nodes.has(target)) this.links.delete(key);
    }
  }

  /** How much is kept in all. */
  get size(): number {
    return this.nodes.size + this.links.size;
  }
}

/** Where a component is: for bodies the closed contacts with their modes. */
export function placeOf(component: Component, { known }: App): Node {
  const time = known.time.value;
  const lanes = known.lanes.value;
  if (component.kind === "automaton") {
    const name = lanes.valueAt(component.name, time) ?? component.initial ?? "";
    return { id: name, location: name, closed: [] };
  }
  const closed = component.contacts.flatMap(({ name }) => {
    const mode = lanes.valueAt(name, time);
    return mode !== undefined && isContactMode(mode) && mode !== OPEN
      ? [{ contact: name, mode }]
      : [];
  });
  const location = `{${closed.map(({ contact, mode }) => `${contact}: ${mode}`).join(", ")}}`;
  return { id: location, location, closed };
}

/** Keep `diagram` at the surroundings of where `component` is; what comes back does it once. */
export function exploring(component: Component, diagram: Diagram, app: App): () => void {
  const { known, source } = app;
  const explored = new Explored();
  const asked = new Set<string>();
  let drawing = false;
  let more = false; // has come while it was drawn
  const draw = async () => {
    more = true;
    if (drawing) return; // a run visits faster than places can be found
    drawing = true;
    while (more) {
      more = false;
      await diagram.show(graphAround(explored.neighbourhood));
      diagram.activate(explored.current);
    }
    drawing = false;
  };
  const drawCalmly = spaced(() => void draw(), GAP);
  const ask = async (location: string) => {
    if (!source.live || asked.has(location)) return;
    asked.add(location);
    const around = { do: "around" as const, component: component.name, location };
    const answer = await source.ask(around).catch(() => null); // then what was visited is all
    if (!answer?.nodes || !answer.edges) return;
    explored.learn({ nodes: answer.nodes, edges: answer.edges, current: answer.current ?? "" });
    void draw();
  };
  return () => {
    const place = placeOf(component, app);
    const { playing } = known.status.value;
    if (!playing) void ask(place.location);
    if (place.id === explored.current) return;
    const event = known.events.value.findLast(({ time }) => time <= known.time.value);
    explored.visit(place, event?.kind ?? "");
    diagram.activate(place.id); // if it is in the picture already
    if (playing) drawCalmly();
    else void draw();
  };
}
