// Positions of graphs: laid out once by a worker, then kept.
import type { Graph } from "./graph.ts";
import type { Places } from "./layout.ts";

const kept = new Map<string, Promise<Places>>();
const waiting = new Map<number, (places: Places) => void>();
let worker: Worker | null = null;
let next = 1;

/** In a replay the worker is inside the one file, else it is a file of its own. */
async function start(): Promise<Worker> {
  if (worker) return worker;
  const { default: LayoutWorker } = __REPLAY__
    ? await import("./worker.ts?worker&inline")
    : await import("./worker.ts?worker");
  worker = new LayoutWorker();
  worker.onmessage = ({ data }: MessageEvent<{ id: number; places: Places }>) => {
    waiting.get(data.id)?.(data.places);
    waiting.delete(data.id);
  };
  return worker;
}

export function placesOf(graph: Graph, wide: boolean): Promise<Places> {
  const key = `${wide} ${graph.key}`;
  let places = kept.get(key);
  if (!places) {
    places = start().then((running) => {
      const id = next++;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        running.postMessage({ id, graph, wide });
      });
    });
    kept.set(key, places);
  }
  return places;
}
