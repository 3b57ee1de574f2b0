// One bar per contact and component: modes and locations over time, events as ticks.
import type { App } from "../page/app.ts";
import { element, write } from "../page/dom.ts";
import { type Common, commonOf, partOf } from "../page/names.ts";
import { colour, theme } from "../page/theme.ts";
import type { Happening, Shaded } from "../protocol/messages.ts";
import { lastUpTo, rowAt } from "../source/sorted.ts";
import { onAny, painter } from "../state/cell.ts";
import { type Lane, OPEN } from "../state/lanes.ts";
import { clear, sheet } from "./canvas.ts";
import { brushOf, MODES } from "./patterns.ts";
import { type Choice, MANY, type Row, type Rows, rowsOf, summary } from "./rows.ts";
import { AXIS, NAMES, type Scale, scaleOf, toPixel } from "./scale.ts";

const ROW = 20; // px
const FINE = 0.5; // px
const TALLEST = 7; // rows before the lanes scroll

export interface LanesView {
  node: HTMLElement;
  /** The search, for where there is room for it. */
  tools: HTMLElement;
}

export function lanesView(app: App): LanesView {
  const { known, view } = app;
  const drawn = sheet("lanes-sheet");
  const ticking = new Ticking();
  const struck = new Struck();
  const choice: Choice = { search: "", touchedOnly: true };
  const scroll = element("div", { class: "lanes-scroll" }, drawn.canvas);
  const choosing = chooser(choice, () => draw());
  const node = element("div", { class: "lanes" }, scroll);
  const draw = painter(() => {
    const model = known.model.value;
    if (!model) return;
    const rows = rowsOf(model, known.lanes.value, choice, struck.among(known.events.value));
    choosing.tell(rows);
    node.classList.toggle("none", rows.contacts.all + rows.shown.length === 0);
    scroll.style.height = `${Math.min(rows.shown.length, TALLEST) * ROW}px`;
    const width = node.clientWidth;
    clear(drawn, width, rows.shown.length * ROW);
    const scale = scaleOf(view.window.value, width);
    paint(drawn.pen, rows, scale, ticking, app);
    drawn.canvas.setAttribute(
      "aria-label",
      `lanes of ${rows.shown.map((r) => r.label).join(", ")}`,
    );
  });
  drawn.canvas.setAttribute("role", "img");
  known.cutAt.on(() => struck.forget());
  onAny([known.model, known.lanes, known.events, known.status, view.window, theme], draw);
  known.frame.on((frame) => frame && !frame.past && draw());
  new ResizeObserver(draw).observe(node);
  return { node, tools: choosing.node };
}

/** The search for lanes, and the switch between all contacts and those that ever touched. */
function chooser(choice: Choice, changed: () => void) {
  const text = element("span", { class: "muted" });
  const all = element("button", { type: "button", class: "quiet" });
  all.onclick = () => {
    choice.touchedOnly = !choice.touchedOnly;
    changed();
  };
  const search = element("input", { type: "search", placeholder: "filter lanes" });
  search.setAttribute("aria-label", "Filter lanes");
  search.oninput = () => {
    choice.search = search.value;
    changed();
  };
  const node = element("div", { class: "lanes-chooser" }, search, text, all);
  const tell = (rows: Rows) => {
    const large = rows.contacts.all > MANY;
    node.classList.toggle("none", !large && !choice.search);
    write(text, summary(rows, choice));
    write(all, choice.touchedOnly ? "show all" : "only those that ever touched");
    all.hidden = !large;
  };
  return { node, tell };
}

function paint(
  pen: CanvasRenderingContext2D,
  rows: Rows,
  scale: Scale,
  ticking: Ticking,
  app: App,
): void {
  const { known } = app;
  const font = getComputedStyle(document.body);
  pen.font = `12px ${font.fontFamily}`;
  pen.textBaseline = "middle";
  pen.lineWidth = 1;
  const events = ticking.in(known.events.value, scale);
  const common = commonOf(rows.shown.map(({ label }) => label));
  for (const [i, row] of rows.shown.entries()) {
    const y = i * ROW;
    paintName(pen, row, y, common);
    const lane = known.lanes.value.get(row.lane) ?? silent(row.lane);
    pen.save();
    pen.beginPath();
    pen.rect(scale.left, y, scale.right - scale.left, ROW);
    pen.clip();
    for (const part of lane.shaded) paintShade(pen, part, scale, y);
    paintModes(pen, row, lane, scale, y, known.live);
    paintTicks(pen, events.get(row.lane) ?? [], scale, y);
    pen.restore();
  }
}

/** The lane of a contact that never closed. */
function silent(name: string): Lane {
  return { name, times: [], values: [], shaded: [] };
}

function paintName(pen: CanvasRenderingContext2D, row: Row, y: number, common: Common): void {
  pen.save();
  pen.beginPath();
  pen.rect(0, y, NAMES + AXIS - 10, ROW);
  pen.clip();
  pen.textAlign = "right";
  pen.fillStyle = colour("--text");
  const fits = (text: string) => pen.measureText(text).width <= NAMES + AXIS - 20;
  const label = partOf(row.label, common, fits);
  pen.fillText(label, NAMES + AXIS - 12, y + ROW / 2 + 0.5);
  pen.restore();
}

function paintModes(
  pen: CanvasRenderingContext2D,
  row: Row,
  lane: Lane,
  scale: Scale,
  y: number,
  live: number,
): void {
  const end = Math.min(live, scale.to);
  const start = Math.min(lane.times[0] ?? end, end);
  if (row.locations.length === 0 && start > scale.from) {
    const open = toPixel(scale, start) - scale.left; // of contacts, only what differs is said
    brushOf(OPEN, [])(pen, scale.left, y, Math.max(open, 0), ROW);
  }
  let drawn = Number.NEGATIVE_INFINITY; // px: where the last one began
  for (let i = rowAt(lane.times, scale.from); i < lane.times.length; i++) {
    if (lane.times[i]! > end) break;
    const from = toPixel(scale, Math.max(lane.times[i]!, scale.from));
    const to = toPixel(scale, Math.min(lane.times[i + 1] ?? end, end));
    if (to - drawn < FINE) continue; // another one within the same pixel
    drawn = from;
    brushOf(lane.values[i]!, row.locations)(pen, from, y, Math.max(to - from, 0.75), ROW);
  }
}

/** A stretch in which infinitely many events happen. */
function paintShade(pen: CanvasRenderingContext2D, part: Shaded, scale: Scale, y: number): void {
  const from = toPixel(scale, part.from);
  const to = toPixel(scale, part.to);
  const fade = pen.createLinearGradient(from, 0, to, 0);
  fade.addColorStop(0, "transparent");
  fade.addColorStop(1, colour("--series-4"));
  pen.fillStyle = fade;
  pen.fillRect(from, y + 1, Math.max(to - from, 1), ROW - 2);
}

/** The lanes of which events have told: each event is read once. */
class Struck {
  private lanes = new Set<string>();
  private read = 0;

  among(events: readonly Happening[]): ReadonlySet<string> {
    for (; this.read < events.length; this.read++) {
      for (const lane of events[this.read]!.who) this.lanes.add(lane);
    }
    return this.lanes;
  }

  forget(): void {
    this.lanes = new Set();
    this.read = 0;
  }
}

/** The events of each lane in a window: sorted out anew only when there are others. */
class Ticking {
  private key = "";
  private byLane = new Map<string, number[]>();

  in(events: readonly Happening[], { from, to }: Scale): ReadonlyMap<string, readonly number[]> {
    const key = `${events.length} ${events[events.length - 1]?.time} ${from} ${to}`;
    if (key === this.key) return this.byLane;
    this.key = key;
    this.byLane = new Map();
    const first = lastUpTo(events.length, (i) => events[i]!.time, from);
    for (let i = Math.max(0, first); i < events.length && events[i]!.time <= to; i++) {
      const { time, who } = events[i]!;
      for (const lane of who) {
        const times = this.byLane.get(lane);
        if (times) times.push(time);
        else this.byLane.set(lane, [time]);
      }
    }
    return this.byLane;
  }
}

function paintTicks(
  pen: CanvasRenderingContext2D,
  times: readonly number[],
  scale: Scale,
  y: number,
): void {
  pen.fillStyle = colour("--text");
  let drawn = Number.NEGATIVE_INFINITY; // px
  for (const time of times) {
    const x = Math.round(toPixel(scale, time));
    if (x !== drawn) pen.fillRect(x - 0.5, y + 3, 1, ROW - 6);
    drawn = x;
  }
}

/** What the patterns of contacts mean. */
export function modeLegend(): HTMLElement {
  const node = element("span", { class: "mode-legend", "aria-label": "Modes of contacts" });
  const draw = () => {
    const items = MODES.map(([name, brush]) => {
      const { canvas, pen } = sheet("mode-sample");
      clear({ canvas, pen }, 22, 14);
      brush(pen, 0, 0, 22, 14);
      return element("span", {}, canvas, name);
    });
    node.replaceChildren(...items);
  };
  theme.see(draw);
  return node;
}
