// Lays graphs out beside the page, so that the page does not wait.
import type { Graph } from "./graph.ts";
import { layOut } from "./layout.ts";

self.onmessage = ({ data }: MessageEvent<{ id: number; graph: Graph; wide: boolean }>) => {
  self.postMessage({ id: data.id, places: layOut(data.graph, data.wide) });
};
