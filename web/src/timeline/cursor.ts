// The cursor through lanes and plots: drag it, or press anywhere, to go to that time. The wheel zooms
// in time, Shift and the wheel move along it.
import type { App } from "../page/app.ts";
import { element, write } from "../page/dom.ts";
import { seconds } from "../page/format.ts";
import { theme } from "../page/theme.ts";
import type { Happening } from "../protocol/messages.ts";
import { onAny, painter } from "../state/cell.ts";
import { type Scale, scaleOf, toPixel, toTime } from "./scale.ts";

const EDGE = 40; // px: nearer to the right border, the time stands to the left of its line
const ZOOM = 1.0015; // per pixel of the wheel

/** Put cursor, hover line and marks over `body`, and let the pointer seek on it. */
export function cursorOver(body: HTMLElement, app: App): void {
  const { known, view } = app;
  const handle = element("span", { class: "handle" });
  const line = element("div", { class: "cursor-line" }, handle);
  const hover = element("div", { class: "hover-line" }, element("span", { class: "hover-time" }));
  const future = element("div", { class: "future" });
  const marks = element("div", { class: "marks" });
  body.append(element("div", { class: "over", "aria-hidden": "true" }, future, marks, hover, line));
  const scale = () => scaleOf(view.window.value, body.clientWidth);
  const draw = painter(() => {
    place(line, scale(), known.time.value);
    write(handle, seconds(known.time.value));
    const right = body.clientWidth - toPixel(scale(), known.time.value);
    handle.style.translate = right < EDGE ? `calc(${right - 4}px - 100%)` : "";
    place(hover, scale(), view.hover.value);
    if (view.hover.value !== null) write(hover.firstElementChild!, seconds(view.hover.value));
    shade(future, scale(), known.live);
  });
  const remark = painter(() => drawMarks(marks, scale(), app));
  onAny([known.time, known.status, view.hover], draw);
  onAny([known.events, known.status, theme], remark);
  const both = () => {
    draw();
    remark();
  };
  view.window.on(both);
  new ResizeObserver(both).observe(body);
  grab(body, app, scale);
}

function place(node: HTMLElement, scale: Scale, time: number | null): void {
  node.hidden = time === null || time < scale.from || time > scale.to;
  if (time !== null) node.style.transform = `translateX(${toPixel(scale, time)}px)`;
}

/** What has not been computed yet is dimmed. */
function shade(node: HTMLElement, scale: Scale, live: number): void {
  const from = Math.max(toPixel(scale, live), scale.left);
  node.hidden = from >= scale.right;
  node.style.transform = `translateX(${from}px)`;
  node.style.width = `${Math.max(0, scale.right - from)}px`;
}

/** Violations of properties, forks, and the marks of a loop. */
function drawMarks(marks: HTMLElement, scale: Scale, { known }: App): void {
  const broken = known.events.value.filter(isViolation).map((event) => {
    return mark("violation", event.time, `${event.who.join(", ")} violated`);
  });
  const { fork, loop } = known.status.value;
  const forks = fork ? [mark("fork-mark", fork.at, "fork")] : [];
  const loops = loop ? [mark("loop-mark", loop.from, "["), mark("loop-mark", loop.to, "]")] : [];
  const all = [...broken, ...forks, ...loops];
  for (const { node, time } of all) place(node, scale, time);
  marks.replaceChildren(...all.map(({ node }) => node));
}

export function isViolation(event: Happening): boolean {
  return event.kind === "violation";
}

function mark(kind: string, time: number, text: string): { node: HTMLElement; time: number } {
  return { node: element("div", { class: `mark ${kind}` }, element("span", {}, text)), time };
}

function grab(body: HTMLElement, { control, view, known }: App, scale: () => Scale): void {
  const timeOf = (event: PointerEvent | WheelEvent) =>
    toTime(scale(), event.clientX - body.getBoundingClientRect().left);
  const inside = (event: PointerEvent | WheelEvent) => {
    const x = event.clientX - body.getBoundingClientRect().left;
    const { left, right } = scale();
    return x >= left - 4 && x <= right + 4;
  };
  let held = false;
  body.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !inside(event)) return;
    if (event.target instanceof Element && event.target.closest("button, input")) return;
    held = true;
    body.setPointerCapture(event.pointerId);
    control.seek(timeOf(event));
  });
  body.addEventListener("pointermove", (event) => {
    view.hover.set(inside(event) ? Math.max(0, timeOf(event)) : null);
    if (held) control.seek(timeOf(event));
  });
  body.addEventListener("pointerup", () => {
    held = false;
  });
  body.addEventListener("pointerleave", () => view.hover.set(null));
  body.addEventListener("dblclick", (event) => {
    if (inside(event as PointerEvent)) view.whole();
  });
  const wheel = (event: WheelEvent) => {
    if (!inside(event)) return;
    event.preventDefault();
    const { from, to } = view.window.value;
    const along = event.shiftKey ? event.deltaY : event.deltaX;
    if (Math.abs(along) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
      const shift = Math.max((along / 1000) * (to - from), -from);
      view.zoom(from + shift, to + shift);
    } else view.zoomAround(timeOf(event), ZOOM ** event.deltaY);
  };
  body.addEventListener("wheel", wheel, { passive: false });
  known.model.on(() => view.hover.set(null));
}
