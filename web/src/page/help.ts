// All keys on one page, from the table of actions itself; what is looked for is found and done.
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

/** Open the page of keys; Escape closes it, Enter does the first that is found. */
export function help(actions: Actions): void {
  const dialog = element("dialog", { class: "dialog help", "aria-label": "Keys" });
  const close = button({ label: "close", key: "Esc", icon: "close", press: () => dialog.close() });
  const perform = (action: Action) => {
    dialog.close();
    action.run();
  };
  const rows = actions.all.map((action) => row(action, () => perform(action)));
  const search = searchBox(
    (text) => find(rows, text),
    (text) => {
      const [first] = find(rows, text);
      if (text && first) perform(first.action);
    },
  );
  dialog.append(
    element("div", { class: "head" }, element("h2", {}, "Keys and hands"), fill(), search, close),
    element(
      "div",
      { class: "columns" },
      ...(Object.keys(TITLES) as Group[]).map((group) => column(group, rows)),
      element("section", {}, element("h3", {}, "Hands"), hands()),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "Escape") dialog.close(); // at once: the next key is the page's
  });
  document.body.append(dialog);
  dialog.showModal();
}

interface Row {
  action: Action;
  nodes: readonly HTMLElement[];
}

function row(action: Action, press: () => void): Row {
  const does = element("button", { type: "button", class: "does", on: { click: press } });
  does.append(action.label);
  const key = element("dt", {}, element("kbd", {}, keyName(action.key)));
  return { action, nodes: [key, element("dd", {}, does)] };
}

/** Show the rows with these words alone; they are what is found. */
function find(rows: readonly Row[], text: string): Row[] {
  const words = text.toLowerCase().split(/\s+/);
  return rows.filter(({ action, nodes }) => {
    const found = words.every((word) => action.label.toLowerCase().includes(word));
    for (const node of nodes) node.hidden = !found;
    return found;
  });
}

function searchBox(typed: (text: string) => void, entered: (text: string) => void): HTMLElement {
  const box = element("input", { type: "search", placeholder: "search", "aria-label": "search" });
  box.addEventListener("input", () => typed(box.value.trim()));
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") entered(box.value.trim());
  });
  return box;
}

function fill(): HTMLElement {
  return element("span", { class: "fill" });
}

function column(group: Group, rows: readonly Row[]): HTMLElement {
  const nodes = rows.filter(({ action }) => action.group === group).flatMap((one) => one.nodes);
  return element("section", {}, element("h3", {}, TITLES[group]), element("dl", {}, ...nodes));
}

function hands(): HTMLElement {
  const rows = HANDS.flatMap(([what, does]) => [element("dt", {}, what), element("dd", {}, does)]);
  return element("dl", { class: "hands" }, ...rows);
}
