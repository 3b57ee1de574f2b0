// The gallery: what to play. It is the whole page while there is no model.
import "../style/gallery.css";
import type { App } from "../page/app.ts";
import { button, element } from "../page/dom.ts";

interface Example {
  name: string;
  title?: string;
  sentence: string;
  picture: string | null;
  scene?: boolean; // the picture is what will be seen, not a chart
}

/** Opens by itself where there is no model; what comes back opens it on demand. */
export function gallery({ known, control }: App): () => void {
  const dialog = element("dialog", { class: "dialog gallery", "aria-label": "Gallery" });
  const cards = element("div", { class: "cards" });
  const search = element("input", { type: "search", placeholder: "search" });
  search.setAttribute("aria-label", "Search the gallery");
  const close = button({ label: "close", key: "Esc", icon: "close", press: () => dialog.close() });
  const title = element("h2", {}, "What shall move?");
  const head = element("div", { class: "head" }, title, element("span", { class: "fill" }), search);
  head.append(close);
  dialog.append(head, cards);
  document.body.append(dialog);
  let examples: readonly Example[] | null = null;
  const play = async (name: string, card: HTMLElement) => {
    if (cards.querySelector("[aria-busy]")) return; // one at a time
    card.setAttribute("aria-busy", "true");
    card.append(opening());
    try {
      const problems = await control.open({ example: name });
      if (problems.length > 0) control.notice.set(problems[0]!.message);
      else {
        dialog.close();
        await control.send({ do: "play" });
      }
    } finally {
      fill();
    }
  };
  const fill = () => {
    const wanted = search.value.trim().toLowerCase();
    const some = (examples ?? []).filter(({ name, sentence }) =>
      `${name} ${sentence}`.toLowerCase().includes(wanted),
    );
    const none = element("p", { class: "muted" }, "nothing of that name");
    cards.replaceChildren(...(some.length ? some.map((one) => card(one, play)) : [none]));
  };
  const open = async () => {
    if (!dialog.open) dialog.showModal();
    examples ??= await load();
    fill();
    cards.querySelector("button")?.focus();
  };
  search.oninput = fill;
  dialog.addEventListener("cancel", (event) => {
    if (known.status.value.state === "empty") event.preventDefault();
  });
  known.status.on(({ state }) => {
    close.hidden = state === "empty";
    if (state === "empty" && !dialog.open) void open();
  });
  known.model.on((model) => model && dialog.open && known.status.value.state !== "empty" && fill());
  return () => void open();
}

/** Pictures and words come from the server, with the token of the page where there is one. */
async function load(): Promise<readonly Example[]> {
  const response = await fetch(`gallery.json${location.search}`);
  if (!response.ok) throw new Error(`the gallery cannot be read: ${response.status}`);
  const examples = (await response.json()) as Example[];
  return examples.sort((a, b) => inviting(b) - inviting(a));
}

/** Whose scene can be seen comes first, then whoever has a picture. */
function inviting({ scene, picture }: Example): number {
  return Number(scene === true) + Number(picture !== null);
}

/** What moves on a card until its model does. */
function opening(): HTMLElement {
  const bar = element("progress", { "aria-label": "Progress" });
  return element("span", { class: "opening" }, bar, "opening …");
}

function card(
  { name, sentence, picture, scene }: Example,
  play: (name: string, card: HTMLElement) => Promise<void>,
) {
  const image = picture
    ? element("img", {
        src: picture + location.search,
        class: scene ? "seen" : "chart",
        alt: "",
        loading: "lazy",
        decoding: "async",
      })
    : element("span", { class: "no-picture", "aria-hidden": "true" }, name.slice(0, 1));
  const words = element("span", { class: "words" }, element("b", {}, name), begun(sentence));
  const node = element("button", { type: "button", class: "card", title: `play ${name}` });
  node.append(image, words);
  node.onclick = () => void play(name, node);
  return node;
}

/** A sentence begins with a capital letter. */
function begun(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
