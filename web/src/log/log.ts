// The log: time · kind · who · remark. A click goes there. Only rows in sight are in the page, so a
// hundred thousand events scroll as well as ten.
import "../style/log.css";
import type { App } from "../page/app.ts";
import { element, write } from "../page/dom.ts";
import { counted, seconds } from "../page/format.ts";
import { lastUpTo } from "../source/sorted.ts";
import { onAny, painter, spaced } from "../state/cell.ts";
import { type LogRow, matches, rowOf } from "./rows.ts";

const ROW = 22; // px
const DECIMALS = 6;
const GAP = 100; // ms between two looks at a run that is played

export function fillLog(pane: HTMLElement, app: App): void {
  const { known, control } = app;
  const search = element("input", { type: "search", placeholder: "filter" });
  search.setAttribute("aria-label", "Filter the log");
  const count = element("span", { class: "muted" });
  const tall = element("div", { class: "log-rows" });
  const scroll = element("div", { class: "log-scroll", tabindex: 0, "aria-label": "Events" }, tall);
  let rows: LogRow[] = [];
  let read = 0; // how many events `rows` has seen
  let drawn = ""; // what of it is in the page
  let following = -1; // the row that was last brought into sight
  const again = () => {
    rows = [];
    read = 0;
    following = -1;
    drawn = "";
    draw();
  };
  const draw = painter(() => {
    const events = known.events.value;
    for (; read < events.length; read++) {
      const row = rowOf(events[read]!);
      if (matches(row, search.value)) rows.push(row);
    }
    const now = lastUpTo(rows.length, (i) => rows[i]!.time, known.time.value);
    const since = known.since.value > 0 ? ` since ${seconds(known.since.value)}` : "";
    write(count, counted(rows.length, "event") + since);
    tall.style.height = `${rows.length * ROW}px`;
    if (now !== following) follow(scroll, now);
    following = now;
    const sight = `${rows.length} ${now} ${scroll.scrollTop} ${scroll.clientHeight}`;
    if (sight !== drawn) tall.replaceChildren(...inSight(scroll, rows, now));
    drawn = sight;
  });
  // Not on the rows themselves: while a run plays, a row may be drawn anew under the finger.
  tall.onclick = (event) => {
    const row = rows[rowUnder(event, tall)];
    if (row) control.seek(row.time);
  };
  search.oninput = again;
  known.cutAt.on(again);
  onAny([known.events, known.time], spaced(draw, GAP));
  scroll.addEventListener("scroll", draw);
  new ResizeObserver(draw).observe(scroll);
  const title = element("h2", {}, "Log");
  const fill = element("span", { class: "fill" });
  pane.append(element("div", { class: "head" }, title, count, fill, search), scroll);
}

/** Which row a click means: the one pressed with a key, or the one under the pointer. */
function rowUnder(event: MouseEvent, tall: HTMLElement): number {
  const pressed = event.target instanceof Element ? event.target.closest(".log-row") : null;
  const y = pressed ? pressed.getBoundingClientRect().top + 1 : event.clientY;
  return Math.floor((y - tall.getBoundingClientRect().top) / ROW);
}

function follow(scroll: HTMLElement, row: number): void {
  const top = Math.max(0, row) * ROW;
  const { scrollTop, clientHeight } = scroll;
  if (top < scrollTop || top + ROW > scrollTop + clientHeight) {
    scroll.scrollTop = Math.max(0, top - clientHeight + ROW);
  }
}

function inSight(scroll: HTMLElement, rows: readonly LogRow[], now: number): HTMLElement[] {
  const first = Math.max(0, Math.floor(scroll.scrollTop / ROW) - 2);
  const last = Math.min(rows.length, first + Math.ceil(scroll.clientHeight / ROW) + 4);
  return rows.slice(first, last).map((row, i) => line(row, first + i, now));
}

function line(row: LogRow, index: number, now: number): HTMLElement {
  const state = index === now ? " now" : index > now ? " ahead" : "";
  const node = element(
    "button",
    { type: "button", class: `log-row kind-${kindClass(row.kind)}${state}`, title: aboutRow(row) },
    element("span", { class: "time" }, seconds(row.time, DECIMALS)),
    element("span", { class: "kind" }, row.kind),
    element("span", { class: "who" }, row.who),
    element("span", { class: "remark muted" }, row.remark),
  );
  node.style.top = `${index * ROW}px`;
  return node;
}

/** All that may be cut off in a row, and what a click does. */
function aboutRow({ who, remark }: LogRow): string {
  return [who, remark, "click: go there"].filter(Boolean).join("\n");
}

const KINDS = new Set(["impact", "accumulation", "violation", "stick", "slip", "release", "touch"]);

function kindClass(kind: string): string {
  return KINDS.has(kind) ? kind : "other";
}
