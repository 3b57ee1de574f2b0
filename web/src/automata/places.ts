// Positions of graphs: laid out once by a worker, then kept.
import LayoutWorker from "#layout-worker";
import type { Graph } from "./graph.ts";
import { type Places, scaleIn } from "./layout.ts";

const MOST = 100; // graphs: what has not been looked at for longest is forgotten
const FEW = 40; // boxes that are laid out in both directions
const WIDE = 1.7; // times as wide as high: many boxes go from left to right
const kept = new Map<string, Promise<Places>>();
const waiting = new Map<number, (places: Places) => void>();
let worker: Worker | null = null;
let next = 1;

function start(): Worker {
  if (worker) return worker;
  worker = new LayoutWorker();
  worker.onmessage = ({ data }: MessageEvent<{ id: number; places: Places }>) => {
    waiting.get(data.id)?.(data.places);
    waiting.delete(data.id);
  };
  return worker;
}

/** Downwards or to the right: what can be drawn larger in so much room. */
export async function placesIn(
  room: { width: number; height: number },
  graph: Graph,
): Promise<Places> {
  if (graph.boxes.length > FEW) return placesOf(graph, room.width > WIDE * room.height);
  const both = await Promise.all([placesOf(graph, false), placesOf(graph, true)]);
  const [down, right] = both.map((places) => scaleIn(places, room));
  return right! > down! ? both[1] : both[0];
}

function placesOf(graph: Graph, wide: boolean): Promise<Places> {
  const key = `${wide} ${graph.key}`;
  let places = kept.get(key);
  kept.delete(key);
  if (!places) {
    const id = next++;
    places = new Promise((resolve) => waiting.set(id, resolve));
    start().postMessage({ id, graph, wide });
  }
  kept.set(key, places);
  for (const oldest of [...kept.keys()].slice(0, -MOST)) kept.delete(oldest);
  return places;
}
