// One line over the middle of the page, when there is something to say: what is waited for, why the
// run stopped, what it asks.
import { Cell, onAny } from "../state/cell.ts";
import type { App } from "./app.ts";
import { button, element, write } from "./dom.ts";

const SOON = 100; // ms: whoever waits longer is told for what

export function strip({ known, control }: App): HTMLElement {
  const text = element("span");
  const bar = element("progress", { max: 1, "aria-label": "Progress" });
  const link = element("a", { target: "_blank", rel: "noopener" }, "more about it");
  const wait = button({
    label: "take none of them, and let time pass",
    text: "wait",
    press: () => void control.send({ do: "wait" }),
  });
  const again = button({
    label: "restart",
    key: "R",
    text: "restart",
    press: () => control.restart(),
  });
  const node = element("div", { class: "strip", role: "status" }, bar, text, link, wait, again);
  const late = new Cell<string | null>(null);
  let timer = 0;
  control.waiting.on((what) => {
    clearTimeout(timer);
    if (what === null) late.set(null);
    else timer = setTimeout(() => late.set(what), SOON) as unknown as number;
  });
  const draw = () => {
    const { state, why, link: page, progress, asks, may_wait } = known.status.value;
    const working = late.value ?? (state === "working" ? (progress?.text ?? "working …") : null);
    const stopped = state === "ended" || state === "error";
    const said = working ?? (stopped || asks ? (why ?? "") : "");
    node.hidden = said === "";
    node.dataset.tone = working ? "work" : state === "error" ? "bad" : asks ? "ask" : "calm";
    write(text, said);
    text.title = said;
    bar.hidden = working === null;
    if (typeof progress?.share === "number") bar.value = progress.share;
    else bar.removeAttribute("value");
    link.hidden = !page || working !== null;
    if (page) link.href = page;
    wait.hidden = !asks || !may_wait || working !== null;
    again.hidden = !stopped || working !== null;
  };
  onAny([known.status, late], draw);
  draw();
  return node;
}
