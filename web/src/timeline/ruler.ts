// The axis of time, under everything that it belongs to.
import type { App } from "../page/app.ts";
import { element } from "../page/dom.ts";
import { signed, withUnit } from "../page/format.ts";
import { painter } from "../state/cell.ts";
import { scaleOf, ticks, toPixel } from "./scale.ts";

const HANDLE = 44; // px from the middle of the cursor's time to that of a number beside it

export function ruler({ view, known }: App): HTMLElement {
  const node = element("div", { class: "ruler" });
  const draw = painter(() => {
    const scale = scaleOf(view.window.value, node.clientWidth);
    const { times, decimals } = ticks(scale);
    node.replaceChildren(
      ...times.map((time, i) => {
        const digits = signed(time.toFixed(decimals));
        const text = i === times.length - 1 ? withUnit(digits, "s") : digits;
        const tick = element("span", { class: "tick" }, text);
        tick.style.left = `${toPixel(scale, time)}px`;
        return tick;
      }),
    );
    giveWay();
  });
  /** Numbers that the time of the cursor would cover in part are not shown. */
  const giveWay = painter(() => {
    const scale = scaleOf(view.window.value, node.clientWidth);
    const cursor = toPixel(scale, known.time.value);
    for (const tick of node.querySelectorAll<HTMLElement>(".tick")) {
      const covered = Math.abs(Number.parseFloat(tick.style.left) - cursor) < HANDLE;
      tick.classList.toggle("covered", covered);
    }
  });
  known.time.on(giveWay);
  view.window.on(draw);
  new ResizeObserver(draw).observe(node);
  return node;
}
