// All keys on one page, from the table of actions itself.
import { type Action, type Actions, type Group, keyName } from "./actions.ts";
import { button, element } from "./dom.ts";

const TITLES: Record<Group, string> = { time: "Time", look: "Look", model: "Model" };

const HANDS: readonly [string, string][] = [
  ["drag on lanes, plots or the time", "go to that time"],
  ["wheel on lanes or plots", "zoom in time; double click: the whole run"],
  ["click an event in the log", "go there"],
  ["click a dashed edge", "take it"],
  ["drag a body while paused", "put it elsewhere: the run forks"],
  ["move a slider", "the run forks here; the old one stays as a ghost"],
];

/** Open the page of keys; Escape closes it. */
export function help(actions: Actions): void {
  const dialog = element("dialog", { class: "dialog help", "aria-label": "Keys" });
  const close = button({ label: "close", key: "Esc", icon: "close", press: () => dialog.close() });
  dialog.append(
    element("div", { class: "head" }, element("h2", {}, "Keys and hands"), fill(), close),
    element(
      "div",
      { class: "columns" },
      ...(Object.keys(TITLES) as Group[]).map((group) => column(group, actions.all)),
      element("section", {}, element("h3", {}, "Hands"), hands()),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

function fill(): HTMLElement {
  return element("span", { class: "fill" });
}

function column(group: Group, actions: readonly Action[]): HTMLElement {
  const rows = actions
    .filter((action) => action.group === group)
    .flatMap(({ key, label }) => [
      element("dt", {}, element("kbd", {}, keyName(key))),
      element("dd", {}, label),
    ]);
  return element("section", {}, element("h3", {}, TITLES[group]), element("dl", {}, ...rows));
}

function hands(): HTMLElement {
  const rows = HANDS.flatMap(([what, does]) => [element("dt", {}, what), element("dd", {}, does)]);
  return element("dl", { class: "hands" }, ...rows);
}
