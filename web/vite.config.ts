// Two builds of one page: `index.html` with its assets for the server, and, with `--mode replay`,
// `replay.html`, one file with everything inside, into which the server writes a recorded run.
import { resolve } from "node:path";
import { defineConfig, type Plugin } from "vite";

const STATIC = resolve(import.meta.dirname, "../src/dyverse/animation/static");

const WORKER = resolve(import.meta.dirname, "src/automata/worker.ts");

/** Put scripts and styles into the HTML file itself, and write nothing beside it. */
function inlined(): Plugin {
  return {
    name: "inlined",
    enforce: "post",
    generateBundle(_, bundle) {
      for (const page of Object.values(bundle)) {
        if (page.type !== "asset" || !page.fileName.endsWith(".html")) continue;
        let html = String(page.source);
        for (const [name, part] of Object.entries(bundle)) {
          if (part === page) continue;
          const text = part.type === "chunk" ? part.code : String(part.source);
          html = inline(html, part.fileName, text, part.type === "chunk");
          delete bundle[name];
        }
        page.source = html;
      }
    },
  };
}

/** `html` with the tag that loads `file` replaced by its text; scripts go last, into the body. */
function inline(html: string, file: string, text: string, script: boolean): string {
  const name = file.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const tag = script
    ? new RegExp(`\\s*<script[^>]*src="[^"]*${name}"[^>]*></script>`)
    : new RegExp(`<link[^>]*href="[^"]*${name}"[^>]*>`);
  if (!tag.test(html)) throw new Error(`${file}: nothing in the page loads it`);
  if (!script) return html.replace(tag, () => `<style>${text}</style>`);
  const body = text.replaceAll("</script", "<\\/script");
  return html
    .replace(tag, "")
    .replace("</body>", () => `<script type="module">${body}</script></body>`);
}

export default defineConfig(({ mode }) => {
  const replay = mode === "replay";
  return {
    base: "./",
    define: { __REPLAY__: replay },
    // The worker that lays automata out: a file of its own, or inside the one file.
    resolve: { alias: { "#layout-worker": WORKER + (replay ? "?worker&inline" : "?worker") } },
    plugins: replay ? [inlined()] : [],
    worker: { format: replay ? "iife" : "es" },
    build: {
      outDir: STATIC,
      emptyOutDir: !replay,
      target: "es2022",
      modulePreload: false,
      chunkSizeWarningLimit: 900,
      rolldownOptions: {
        input: resolve(import.meta.dirname, replay ? "replay.html" : "index.html"),
        output: replay ? { codeSplitting: false } : {},
      },
    },
    server: { proxy: { "/live": { target: "http://127.0.0.1:8420", ws: true } } },
    test: { environment: "happy-dom", include: ["test/**/*.test.ts"] },
  };
});
