// A panel that hangs under a button of the bar, beside which the page goes on. Escape closes it.
import { button, element } from "./dom.ts";

export interface Panel {
  node: HTMLElement;
  toggle(): void;
  close(): void;
}

const panels = new Set<Panel>();

/** `filled` is called whenever it opens. Only one panel is open at a time. */
export function panel(title: string, name: string, filled: () => void): Panel {
  let opener: Element | null = null;
  const body = element("div", { class: "panel-body" });
  const close = button({ label: "close", key: "Esc", icon: "close", press: () => made.close() });
  const head = element("h2", {}, title);
  const node = element(
    "section",
    { class: `panel ${name}`, role: "dialog", "aria-label": title },
    element("div", { class: "head" }, head, element("span", { class: "fill" }), close),
    body,
  );
  node.hidden = true;
  node.tabIndex = -1;
  const open = () => {
    for (const other of panels) other.close();
    opener = document.activeElement;
    node.hidden = false;
    filled();
    node.focus();
  };
  const made: Panel = {
    node: body,
    toggle: () => (node.hidden ? open() : made.close()),
    close() {
      if (node.hidden) return;
      node.hidden = true;
      if (opener instanceof HTMLElement) opener.focus();
    },
  };
  // Not on the panel itself: a button that was clicked has given the keys back to the page.
  document.addEventListener("keydown", (event) => {
    const elsewhere = event.target instanceof Element && event.target.closest("[data-typing]");
    if (event.key === "Escape" && !elsewhere) made.close();
  });
  panels.add(made);
  document.body.append(node);
  return made;
}
