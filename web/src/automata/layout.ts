// Where boxes and edges go (dagre). Slow for large graphs: a worker does it, see places.ts.
import dagre from "@dagrejs/dagre";
import type { Arc, Box, Graph } from "./graph.ts";

export interface Point {
  x: number;
  y: number;
}

export interface Places {
  width: number;
  height: number;
  wide: boolean; // from left to right
  boxes: Record<string, Point>; // centres
  arcs: Record<string, Placed>;
}

export interface Placed {
  points: readonly Point[];
  label: Point; // its middle
  instead?: boolean; // no room below the label: a countdown stands where the condition does
}

/** Room around boxes, px; less of it where not all of a graph can be seen at once. */
const ROOMY = { margin: 14, nodesep: 30, ranksep: 34 };
const TIGHT = { margin: 8, nodesep: 14, ranksep: 14 };
const TWO_LINES = 34; // px, of a label with its countdown
const LOOP = 30; // px, how far an edge from a location to itself reaches out

/** How large places may be drawn in so much room. */
export function scaleIn(
  { width, height }: Places,
  room: { width: number; height: number },
): number {
  return Math.min(room.width / width, room.height / height);
}

/** How a graph is laid out. */
export interface Way {
  wide?: boolean; // to the right, where there is more room in that direction
  tight?: boolean;
}

export function layOut(graph: Graph, { wide = false, tight = false }: Way = {}): Places {
  const drawn = new dagre.graphlib.Graph({ directed: true, multigraph: true });
  const rankdir = wide ? "LR" : "TB";
  const { margin, ...gaps } = tight ? TIGHT : ROOMY;
  drawn.setGraph({ rankdir, marginx: margin, marginy: margin, ...gaps });
  const rooms = new Map(graph.boxes.map((box) => [box.id, roomFor(box, graph)]));
  for (const { id, width, height } of graph.boxes) {
    const room = rooms.get(id)!;
    drawn.setNode(id, { width: width + room.width, height: Math.max(height, room.height) });
  }
  const least = tight && !wide ? TWO_LINES : 0;
  for (const { id, source, target, width, height: needed } of graph.arcs) {
    const height = Math.max(needed, least);
    const label = { width, height, labelpos: wide ? "c" : "r", labeloffset: 6 };
    if (source !== target) drawn.setEdge(source, target, label, id);
  }
  dagre.layout(drawn);
  const boxes = graph.boxes.map((box) => {
    const { x, y } = drawn.node(box.id) as Point;
    return [box.id, { x: x - rooms.get(box.id)!.width / 2, y }] as const; // loops are on its right
  });
  const centres = new Map(boxes);
  const arcs = graph.arcs.map((arc) => {
    if (arc.source === arc.target) return [arc.id, loop(arc, graph, centres)] as const;
    const found = drawn.edge(arc.source, arc.target, arc.id) as Point & { points: Point[] };
    const placed = between(arc, found, graph, centres);
    return [arc.id, tight && !wide ? { ...placed, instead: true } : placed] as const;
  });
  const { width, height } = drawn.graph() as { width?: number; height?: number };
  return {
    width: width ?? 0,
    height: height ?? 0,
    wide,
    boxes: Object.fromEntries(boxes),
    arcs: Object.fromEntries(arcs),
  };
}

function loopsAt(id: string, graph: Graph): readonly Arc[] {
  return graph.arcs.filter(({ source, target }) => source === id && target === id);
}

/** What a box needs beside itself for the edges from it to itself. */
function roomFor({ id }: Box, graph: Graph): { width: number; height: number } {
  const loops = loopsAt(id, graph);
  if (loops.length === 0) return { width: 0, height: 0 };
  const width = LOOP + 8 + Math.max(...loops.map((arc) => arc.width));
  return { width, height: loops.reduce((sum, arc) => sum + loopHeight(arc), 0) };
}

function loopHeight(arc: Arc): number {
  return Math.max(24, arc.height + 8);
}

/** An edge out of the right side of a box and back into it; several are stacked. */
function loop(arc: Arc, graph: Graph, centres: ReadonlyMap<string, Point>): Placed {
  const loops = loopsAt(arc.source, graph);
  const all = loops.reduce((sum, one) => sum + loopHeight(one), 0);
  const above = loops.slice(0, loops.indexOf(arc)).reduce((sum, one) => sum + loopHeight(one), 0);
  const box = graph.boxes.find(({ id }) => id === arc.source)!;
  const centre = centres.get(arc.source)!;
  const y = centre.y - all / 2 + above + loopHeight(arc) / 2;
  const x = centre.x + box.width / 2;
  const spread = Math.min(9, box.height / 2 - 4);
  const [from, to] = [
    clamp(y - spread, centre.y, box.height),
    clamp(y + spread, centre.y, box.height),
  ];
  const far = x + LOOP;
  const points = [
    { x, y: from },
    { x: far, y: y - 13 },
    { x: far, y: y + 13 },
    { x, y: to },
  ];
  return { points, label: { x: far + 4 + arc.width / 2, y } };
}

function clamp(y: number, centre: number, height: number): number {
  return Math.min(Math.max(y, centre - height / 2 + 4), centre + height / 2 - 4);
}

/** An edge between two boxes: dagre's way, ended at the boxes as they are drawn. */
function between(
  arc: Arc,
  found: Point & { points: readonly Point[] },
  graph: Graph,
  centres: ReadonlyMap<string, Point>,
): Placed {
  const inner = found.points.slice(1, -1);
  const [a, b] = [centres.get(arc.source)!, centres.get(arc.target)!];
  const box = (name: string) => graph.boxes.find(({ id }) => id === name)!;
  const start = border(box(arc.source), a, inner[0] ?? b);
  const end = border(box(arc.target), b, inner[inner.length - 1] ?? a);
  const middle = inner[Math.floor(inner.length / 2)] ?? start;
  return {
    points: [start, ...inner.map(point), end],
    label: { x: found.x ?? middle.x, y: found.y ?? middle.y },
  };
}

/** Where the line from the centre of a box towards a point leaves the box. */
export function border({ width, height }: Box, centre: Point, towards: Point): Point {
  const [dx, dy] = [towards.x - centre.x, towards.y - centre.y];
  if (dx === 0 && dy === 0) return centre;
  const share = Math.min(width / 2 / Math.abs(dx), height / 2 / Math.abs(dy));
  return { x: centre.x + dx * share, y: centre.y + dy * share };
}

function point({ x, y }: Point): Point {
  return { x, y };
}
