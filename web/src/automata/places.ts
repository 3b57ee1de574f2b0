// Positions of graphs: laid out once by a worker, then kept.
import LayoutWorker from "#layout-worker";
import type { Graph } from "./graph.ts";
import { type Places, scaleIn, type Way } from "./layout.ts";

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

export const LEAST = 0.93; // how small a diagram may be drawn: no letter below 12 px

interface Room {
  width: number;
  height: number;
}

/** Downwards or to the right: what can be drawn larger in so much room; tightly, if it does not fit. */
export async function placesIn(room: Room, graph: Graph): Promise<Places> {
  if (graph.boxes.length > FEW)
    return placesOf(graph, { wide: room.width > WIDE * room.height, tight: true });
  const roomy = await larger(room, graph, false);
  return scaleIn(roomy, room) < LEAST ? larger(room, graph, true) : roomy;
}

async function larger(room: Room, graph: Graph, tight: boolean): Promise<Places> {
  const both = [false, true].map((wide) => placesOf(graph, { wide, tight }));
  const [down, right] = (await Promise.all(both)) as [Places, Places];
  return scaleIn(right, room) > scaleIn(down, room) ? right : down;
}

function placesOf(graph: Graph, way: Way): Promise<Places> {
  const key = `${way.wide} ${way.tight} ${graph.key}`;
  let places = kept.get(key);
  kept.delete(key);
  if (!places) {
    const id = next++;
    places = new Promise((resolve) => waiting.set(id, resolve));
    start().postMessage({ id, graph, way });
  }
  kept.set(key, places);
  for (const oldest of [...kept.keys()].slice(0, -MOST)) kept.delete(oldest);
  return places;
}
