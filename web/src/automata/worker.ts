// Lays graphs out beside the page, so that the page does not wait.
import type { Graph } from "./graph.ts";
import { layOut, type Way } from "./layout.ts";

self.onmessage = ({ data }: MessageEvent<{ id: number; graph: Graph; way: Way }>) => {
  self.postMessage({ id: data.id, places: layOut(data.graph, data.way) });
};
