// What can be taken home: the run as one file, a picture, a film, numbers, the command line.
import type { App } from "../page/app.ts";
import { button, element, write } from "../page/dom.ts";
import { counted } from "../page/format.ts";
import { type Panel, panel } from "../page/panel.ts";
import type { Picture } from "../scene/scene.ts";
import { type Camera, Film, GIF, WEBM } from "./film.ts";

export function sharing(app: App, picture: Picture): Panel {
  const { known, control, source, view } = app;
  const made = panel("Share", "share", () => void command());
  const name = (end: string) => `${known.model.value?.name ?? "run"}${end}`;
  const line = element("code", { tabindex: 0 });
  const copy = button({
    label: "copy the command",
    text: "copy",
    press: () => void navigator.clipboard?.writeText(line.textContent ?? ""),
  });
  const command = async () => {
    if (!source.live) return;
    const answer = await source.ask({ do: "command" }).catch(() => null);
    commandRow.hidden = !answer?.text;
    write(line, answer?.text ?? "");
  };
  const replay = async () => {
    const answer = await control.send({ do: "share", what: "replay" });
    if (answer?.text)
      save(new Blob([answer.text], { type: "text/html" }), answer.name ?? name(".html"));
  };
  const numbers = async () => {
    const signals = [...new Set(view.plots.value.flat())];
    const answer = await control.send({ do: "share", what: "csv", signals });
    if (answer?.text)
      save(new Blob([answer.text], { type: "text/csv" }), answer.name ?? name(".csv"));
  };
  const photograph = () => {
    picture.draw();
    picture.canvas.toBlob((blob) => blob && save(blob, name(".png")));
  };
  const filming = (text: string, label: string, camera: Camera, end: string) => {
    const film = new Film(camera, picture, (blob) => save(blob, name(end)));
    const node = button({ label, text, press: () => film.toggle() });
    film.recorded.see((length) => {
      write(node, length === null ? text : `stop (${Math.floor(length)}\u202fs)`);
    });
    return node;
  };
  const commandRow = element("div", { class: "command" }, line, copy);
  const row = (what: HTMLElement, about: string) =>
    element("div", { class: "share-row" }, what, element("span", { class: "muted" }, about));
  const plotted = () => counted(new Set(view.plots.value.flat()).size, "plotted signal");
  const csv = element("span", { class: "muted" });
  view.plots.see(() => write(csv, `CSV of the ${plotted()}, all rows`));
  made.node.append(
    ...(source.live
      ? [
          row(
            button({ label: "download a replay", text: "replay", press: () => void replay() }),
            "one HTML file that opens anywhere, without a server",
          ),
        ]
      : []),
    row(
      button({ label: "download a picture", text: "picture", press: photograph }),
      "PNG of the scene",
    ),
    row(
      filming("film", "film the scene", WEBM, ".webm"),
      "WebM of the scene, as long as you let it run",
    ),
    row(
      filming("GIF", "make a GIF of the scene", GIF, ".gif"),
      "moving picture of the scene, ten a second, for at most 30\u202fs",
    ),
    element(
      "div",
      { class: "share-row" },
      button({ label: "download numbers", text: "numbers", press: () => void numbers() }),
      csv,
    ),
    commandRow,
  );
  commandRow.hidden = true;
  return made;
}

function save(blob: Blob, name: string): void {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
