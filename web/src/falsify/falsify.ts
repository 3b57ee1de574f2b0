// Falsify, prove and map in the page: choose, start, watch it work, cancel; play the witness or a point.
import "../style/falsify.css";
import type { App } from "../page/app.ts";
import { element } from "../page/dom.ts";
import { type Panel, panel } from "../page/panel.ts";
import type { Model } from "../protocol/messages.ts";
import { Cell, Ear } from "../state/cell.ts";
import { mapView } from "./map.ts";
import { NO_PROPERTY, propertyChoice } from "./property.ts";
import { proveView } from "./prove.ts";
import { ranges } from "./ranges.ts";
import { verdictView, Work } from "./work.ts";

const TITLES = { falsify: "break a property", prove: "prove it", map: "map of behaviours" };
type Tab = keyof typeof TITLES;

/** All views stay as they are until there is another text: work goes on, and its end is told. */
export function falsifying(app: App): Panel {
  const made = panel("Falsify", "falsify", () => {});
  const chosen = new Cell<Tab>("falsify");
  const bar = element("div", { class: "tabs", role: "tablist" });
  const body = element("div");
  made.node.append(bar, body);
  for (const name of Object.keys(TITLES) as Tab[]) {
    const tab = element("button", { type: "button", role: "tab" }, TITLES[name]);
    tab.onclick = () => chosen.set(name);
    chosen.see((now) => tab.setAttribute("aria-selected", String(now === name)));
    bar.append(tab);
  }
  let heard = new Ear();
  let shown: Model | null = null;
  app.known.model.on((model) => {
    if (!model || (shown?.text === model.text && shown.name === model.name)) return;
    shown = model;
    heard.close();
    heard = new Ear();
    const views = {
      falsify: element("div", { class: "falsify-body" }, ...searchView(model, app, heard)),
      prove: element("div", { class: "falsify-body" }, ...proveView(model, app, heard)),
      map: element("div", { class: "falsify-body" }, ...mapView(model, app, heard)),
    };
    body.replaceChildren(...Object.values(views));
    heard.see(chosen, (now) => {
      for (const name of Object.keys(views) as Tab[]) views[name].hidden = name !== now;
    });
  });
  return made;
}

function searchView(model: Model, app: App, heard: Ear): HTMLElement[] {
  if (model.properties.length === 0) return [element("p", { class: "muted" }, NO_PROPERTY)];
  const property = propertyChoice(model);
  const varied = ranges(model);
  const runs = element("input", { type: "number", min: 1, max: 100000, value: 2000 });
  runs.setAttribute("aria-label", "Runs at most");
  const result = element("div", { class: "result", role: "status" });
  const work = new Work(app, heard);
  const start = () => {
    result.replaceChildren();
    const asked = {
      do: "falsify" as const,
      property: property.chosen(),
      ranges: varied.chosen(),
      runs: Number(runs.value),
    };
    void work.start(asked);
  };
  heard.on(app.known.verdict, (verdict) => {
    if (verdict && work.ends(verdict.re)) result.replaceChildren(...verdictView(verdict, app));
  });
  return [
    ...property.nodes,
    element("h3", {}, "Vary"),
    varied.node,
    element("div", { class: "line" }, element("span", {}, "runs at most"), runs),
    work.buttons("search for a violation", start),
    result,
  ];
}
