// Sentences that come and go at the foot of the page: refusals, notes of the server.
import type { App } from "./app.ts";
import { button, element } from "./dom.ts";

const SHOWN_FOR = 6000; // ms

export function notices({ known, control }: App): HTMLElement {
  const list = element("div", { class: "notices", role: "log", "aria-label": "Notices" });
  const say = (text: string) => {
    if (!text) return;
    const again = [...list.children].find((child) => child.firstChild?.textContent === text);
    again?.remove();
    const close = button({ label: "dismiss", icon: "close", press: () => notice.remove() });
    const notice = element("div", { class: "notice" }, element("span", {}, text), close);
    list.append(notice);
    setTimeout(() => notice.remove(), SHOWN_FOR);
  };
  control.notice.on(say);
  known.note.on(say);
  return list;
}
