// A small window in which a signal is searched for and chosen.
import type { App } from "../page/app.ts";
import { element } from "../page/dom.ts";
import { splitName } from "../page/names.ts";
import type { Signal } from "../protocol/messages.ts";

const MOST = 60;

/** Open it beside `anchor`; `chosen` hears what was picked. */
export function searchSignal(
  app: App,
  anchor: HTMLElement,
  chosen: (signal: string) => void,
): void {
  document.querySelector(".picker")?.remove();
  const list = element("ul", { role: "listbox", "aria-label": "Signals" });
  const input = element("input", { type: "search", placeholder: "search signals" });
  input.setAttribute("aria-label", "Search signals");
  const node = element("div", { class: "picker" }, input, list);
  const close = () => {
    node.remove();
    document.removeEventListener("pointerdown", outside);
    anchor.focus();
  };
  const outside = (event: Event) => {
    if (event.target instanceof Node && !node.contains(event.target)) close();
  };
  const pick = (signal: string) => {
    close();
    chosen(signal);
  };
  const fill = async () => show(list, await found(app, input.value), pick);
  input.oninput = () => void fill();
  node.onkeydown = (event) => steer(event, list, close);
  document.body.append(node);
  beside(node, anchor);
  document.addEventListener("pointerdown", outside);
  input.focus();
  void fill();
}

async function found(app: App, text: string): Promise<readonly Signal[]> {
  const model = app.known.model.value;
  if (!model) return [];
  const wanted = text.trim().toLowerCase();
  const here = model.signals.filter(({ name }) => name.toLowerCase().includes(wanted));
  const all = (model.signal_count ?? 0) <= model.signals.length;
  if (all || here.length >= MOST) return here.slice(0, MOST);
  const answer = await app.control.send({ do: "find", text: text.trim(), limit: MOST });
  return answer?.signals ?? here;
}

function show(list: HTMLElement, signals: readonly Signal[], pick: (signal: string) => void): void {
  const items = signals.map(({ name, unit }, i) => {
    const unitText = element("span", { class: "muted" }, unit ?? "");
    const attributes = { role: "option", "aria-selected": i === 0, "data-signal": name };
    const item = element("li", { ...attributes, title: name }, splitName(name), unitText);
    item.onclick = () => pick(name);
    return item;
  });
  if (items.length === 0) items.push(element("li", { class: "muted" }, "no signal of that name"));
  list.replaceChildren(...items);
  mark(list, 0);
}

function mark(list: HTMLElement, index: number): void {
  for (const [i, item] of [...list.children].entries()) {
    item.setAttribute("aria-selected", String(i === index));
    if (i === index) item.scrollIntoView?.({ block: "nearest" });
  }
}

function steer(event: KeyboardEvent, list: HTMLElement, close: () => void): void {
  const items = [...list.children];
  const now = items.findIndex((item) => item.getAttribute("aria-selected") === "true");
  const moves: Record<string, number> = { ArrowDown: now + 1, ArrowUp: now - 1 };
  const to = moves[event.key];
  if (to !== undefined) mark(list, Math.min(Math.max(to, 0), items.length - 1));
  else if (event.key === "Enter") (items[now] as HTMLElement | undefined)?.click();
  else if (event.key === "Escape") close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function beside(node: HTMLElement, anchor: HTMLElement): void {
  const { right, top } = anchor.getBoundingClientRect();
  node.style.left = `${Math.min(right + 6, innerWidth - node.offsetWidth - 8)}px`;
  const height = node.offsetHeight || 260;
  node.style.top = `${Math.max(8, Math.min(top, innerHeight - height - 8))}px`;
}
