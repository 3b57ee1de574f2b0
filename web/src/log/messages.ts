// The message-sequence chart: a line of life for each component, an arrow for each handshake, time
// downwards, the newest that have happened by now.
import type { App } from "../page/app.ts";
import { element, svg } from "../page/dom.ts";
import { seconds } from "../page/format.ts";
import { commonOf } from "../page/names.ts";
import type { Happening } from "../protocol/messages.ts";
import { onAny, painter } from "../state/cell.ts";

const HEAD = 22; // px
const STEP = 24; // px from message to message
const SAME = 1e-9; // s
const EDGE = 64; // px for the times on the left

export interface Message {
  time: number;
  channel: string;
  sender: string;
  receivers: readonly string[];
}

export function messagesOf(events: readonly Happening[]): Message[] {
  return events.flatMap((event) => {
    if (!event.sender) return [];
    const { time, sender } = event;
    return [
      { time, sender, channel: event.channel ?? event.kind, receivers: event.receivers ?? [] },
    ];
  });
}

/** The last messages up to `time`, at most `room`, and one that is still ahead. */
export function lastMessages(messages: readonly Message[], time: number, room: number): Message[] {
  const past = messages.findLastIndex((message) => message.time <= time + SAME) + 1;
  const end = Math.min(messages.length, Math.max(past + 1, room));
  return messages.slice(Math.max(0, end - room), end);
}

/** Shows itself only where there are messages; `shown` hears whether. */
export function fillMessages(pane: HTMLElement, app: App, shown: (there: boolean) => void): void {
  const { known } = app;
  const chart = svg("svg", { class: "chart", role: "img", "aria-label": "Messages" });
  const body = element("div", { class: "chart-body" }, chart);
  const title = element("h2", {}, "Messages");
  pane.append(element("div", { class: "head" }, title), body);
  let all: Message[] = [];
  let seen = 0; // events that `all` was made of
  let drawn = "";
  const draw = painter(() => {
    const room = Math.max(1, Math.floor((body.clientHeight - HEAD - 6) / STEP));
    const some = lastMessages(all, known.time.value, room);
    const next = some.findIndex((message) => message.time > known.time.value + SAME);
    const sight = [some[0]?.time, some.length, next, body.clientWidth, body.clientHeight].join(" ");
    if (sight === drawn) return; // nothing to do at most instants
    drawn = sight;
    paint(chart, livesOf(app), some, body.clientWidth, body.clientHeight, app);
  });
  const read = () => {
    all.push(...messagesOf(known.events.value.slice(seen)));
    seen = known.events.value.length;
    const there = all.length > 0 || (known.model.value?.channels.length ?? 0) > 0;
    shown(there);
    drawn = "";
    draw();
  };
  known.cutAt.on(() => {
    all = [];
    seen = 0;
    read();
  });
  onAny([known.events, known.model], read);
  known.time.on(draw);
  new ResizeObserver(draw).observe(body);
}

function livesOf({ known }: App): string[] {
  return known.model.value?.components.map((component) => component.name) ?? [];
}

function paint(
  chart: SVGSVGElement,
  lives: readonly string[],
  messages: readonly Message[],
  width: number,
  height: number,
  app: App,
): void {
  chart.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const gap = (width - EDGE) / Math.max(1, lives.length);
  const x = (name: string) => {
    const column = lives.indexOf(name);
    return column < 0 ? EDGE : EDGE + gap * (column + 0.5); // strangers send from the edge
  };
  const common = commonOf(lives);
  const own = (name: string) => {
    const cut = name.slice(common.before, name.length - common.after);
    return fitted(name, gap) === name ? name : fitted(cut || name, gap);
  };
  const columns = lives.flatMap((name) => [
    svg("line", { class: "life", x1: x(name), x2: x(name), y1: HEAD, y2: height }),
    svg("text", { class: "life-name", x: x(name), y: 15 }, own(name), svg("title", {}, name)),
  ]);
  const arrows = messages.map((message, i) => arrow(message, HEAD + STEP * (i + 0.75), x, app));
  chart.replaceChildren(...columns, ...arrows);
}

const LETTER = 7.5; // px, about, of bold text

/** A name that leaves room for its neighbours. */
export function fitted(name: string, room: number): string {
  const most = Math.max(3, Math.floor(room / LETTER) - 1);
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}

function arrow(
  message: Message,
  y: number,
  x: (name: string) => number,
  { known, control }: App,
): SVGElement {
  const from = x(message.sender);
  const ahead = message.time > known.time.value + SAME;
  const lines = message.receivers.flatMap((name) => {
    const to = x(name);
    const side = to > from ? -1 : 1;
    return [
      svg("line", { x1: from, x2: to, y1: y, y2: y }),
      svg("path", { d: `M${to} ${y}l${side * 7} -4v8z` }),
    ];
  });
  const far = message.receivers[0] ? x(message.receivers[0]) : from;
  const node = svg(
    "g",
    { class: `message${ahead ? " ahead" : ""}`, tabindex: 0, role: "button" },
    svg("rect", { x: 0, y: y - STEP / 2, width: "100%", height: STEP }),
    svg("text", { class: "message-time", x: EDGE - 8, y: y + 4 }, seconds(message.time)),
    ...lines,
    svg("circle", { cx: from, cy: y, r: 3 }),
    svg("text", { class: "channel", x: (from + far) / 2, y: y - 4 }, message.channel),
    svg("title", {}, `${message.channel}: ${message.sender} → ${message.receivers.join(", ")}`),
  );
  node.setAttribute("aria-label", `${message.channel} from ${message.sender}, go there`);
  const go = () => control.seek(message.time);
  node.addEventListener("click", go);
  node.addEventListener("keydown", (event) => event.key === "Enter" && go());
  return node;
}
