// A piece of work on the server, and what it found.
import type { App } from "../page/app.ts";
import { button, element, write } from "../page/dom.ts";
import { number, seconds } from "../page/format.ts";
import type { Verdict } from "../protocol/messages.ts";
import { Refused } from "../source/source.ts";
import type { Ear } from "../state/cell.ts";

/** A piece of work on the server: its button, its progress, and how it is stopped. */
export class Work {
  private id: number | null = null;
  private begun = 0; // how often something was begun or stopped
  private readonly bar = element("progress", { max: 1 });
  private readonly text = element("span", { class: "muted" });
  private readonly row = element("div", { class: "progress" }, this.bar, this.text);
  private starter: HTMLButtonElement | null = null;
  private stopper: HTMLButtonElement | null = null;

  constructor(
    private readonly app: App,
    heard: Ear,
  ) {
    heard.on(app.known.progress, (progress) => {
      if (!progress || progress.re !== this.id) return;
      if (progress.total) this.bar.value = progress.done / progress.total;
      else this.bar.removeAttribute("value");
      write(this.text, progress.text);
    });
    heard.on(app.known.link, (up) => up || this.stop(""));
  }

  buttons(label: string, start: () => void): HTMLElement {
    this.starter = button({ label, text: label, class: "main", press: start });
    this.stopper = button({ label: "stop the search", text: "cancel", press: () => this.cancel() });
    this.show(false);
    return element("div", { class: "work" }, this.starter, this.stopper, this.row);
  }

  async start(asked: Parameters<App["source"]["ask"]>[0]): Promise<void> {
    this.show(true);
    write(this.text, "starting …");
    this.bar.removeAttribute("value");
    const mine = ++this.begun;
    try {
      const { re } = await this.app.source.ask(asked);
      if (mine === this.begun) this.id = re;
      else this.end(re); // it was cancelled before it had a number
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (mine === this.begun) this.stop(error.message);
    }
  }

  /** Was this the end of the present work? Then there is none any more, but what is said of it. */
  ends(re: number, text = ""): boolean {
    if (re !== this.id) return false;
    this.stop(text);
    return true;
  }

  is(re: number): boolean {
    return re === this.id;
  }

  private cancel(): void {
    if (this.id !== null) this.end(this.id);
    this.stop("cancelled");
  }

  private end(id: number): void {
    void this.app.control.send({ do: "cancel", id });
  }

  private stop(text: string): void {
    this.begun++;
    this.id = null;
    this.show(false);
    write(this.text, text);
    this.row.hidden = text === "";
    this.bar.hidden = true;
  }

  private show(working: boolean): void {
    this.row.hidden = !working;
    this.bar.hidden = !working;
    if (this.starter) this.starter.disabled = working;
    if (this.stopper) this.stopper.hidden = !working;
  }
}

const WORDS: Record<string, [string, string]> = {
  unsafe: ["bad", "broken"],
  not_found: ["warn", "no violation found"],
  safe: ["good", "safe"],
  unknown: ["warn", "undecided"],
  open: ["warn", "open"],
};

export function verdictView(verdict: Verdict, { control }: App): HTMLElement[] {
  const [tone, word] = WORDS[verdict.verdict] ?? ["warn", verdict.verdict];
  const title = element("b", { class: `verdict ${tone}` }, word);
  const parts = [element("div", {}, title, " ", verdict.text)];
  const { witness } = verdict;
  if (!witness) return parts;
  const values = Object.entries(witness.parameters).map(
    ([name, value]) => `${name} = ${number(value)}`,
  );
  const at = `at ${seconds(witness.time)} with ${values.join(", ")}`;
  const play = button({
    label: "play the run that breaks it",
    text: "play the witness",
    class: "main",
    press: () =>
      void control.open({ witness: witness.id }).then(() => control.send({ do: "play" })),
  });
  return [...parts, element("div", { class: "muted" }, at), play];
}
