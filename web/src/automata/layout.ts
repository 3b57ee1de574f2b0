// Where boxes and edges go (dagre). Slow for large graphs: a worker does it, see places.ts.
import dagre from "@dagrejs/dagre";
import type { Graph } from "./graph.ts";

export interface Point {
  x: number;
  y: number;
}

export interface Places {
  width: number;
  height: number;
  boxes: Record<string, Point>; // centres
  arcs: Record<string, { points: readonly Point[]; label: Point }>;
}

const MARGIN = 14;

export function layOut(graph: Graph): Places {
  const drawn = new dagre.graphlib.Graph({ directed: true, multigraph: true });
  drawn.setGraph({ rankdir: "TB", nodesep: 30, ranksep: 34, marginx: MARGIN, marginy: MARGIN });
  for (const { id, width, height } of graph.boxes) drawn.setNode(id, { width, height });
  for (const { id, source, target, width, height } of graph.arcs) {
    drawn.setEdge(source, target, { width, height, labelpos: "r", labeloffset: 6 }, id);
  }
  dagre.layout(drawn);
  const boxes = graph.boxes.map(({ id }) => [id, point(drawn.node(id) as Point)]);
  const arcs = graph.arcs.map(({ id, source, target }) => {
    const { points, x, y } = drawn.edge(source, target, id) as Point & { points: Point[] };
    const middle = points[Math.floor(points.length / 2)] ?? { x: 0, y: 0 };
    return [id, { points: points.map(point), label: { x: x ?? middle.x, y: y ?? middle.y } }];
  });
  const { width, height } = drawn.graph() as { width?: number; height?: number };
  return {
    width: width ?? 0,
    height: height ?? 0,
    boxes: Object.fromEntries(boxes),
    arcs: Object.fromEntries(arcs),
  };
}

function point({ x, y }: Point): Point {
  return { x, y };
}
