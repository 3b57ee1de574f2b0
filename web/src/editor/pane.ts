// The pane of the model: its text, what is wrong with it, and below it everything that can be turned.
import "../style/editor.css";
import type { App } from "../page/app.ts";
import { button, element, write } from "../page/dom.ts";
import { counted } from "../page/format.ts";
import type { Problem } from "../protocol/messages.ts";
import { Cell } from "../state/cell.ts";
import type { Code, Name } from "./code.ts";
import { knobs } from "./knobs.ts";

const PATIENCE = 250; // ms without typing before the text is checked
const SHOWN = 3; // problems in the list

export interface EditorPane {
  /** Show it (and load the editor, the first time). */
  open(): void;
  focus(): void;
}

export function fillEditor(pane: HTMLElement, app: App): EditorPane {
  const host = element("div", { class: "code", "data-typing": true });
  const problems = new Cell<readonly Problem[]>([]);
  const text = app.source.live
    ? editing(app, host, problems)
    : reading(app, host, element("span", { class: "muted" }, "as recorded"));
  const head = element(
    "div",
    { class: "head" },
    element("h2", {}, "Model"),
    element("span", { class: "fill" }),
    ...text.tools,
  );
  pane.append(head, host, problemList(problems, text.go), noteList(app), knobs(app));
  return { open: text.open, focus: text.focus };
}

interface TextView {
  tools: HTMLElement[];
  open(): void;
  focus(): void;
  go(problem: Problem): void;
}

/** The text of a recorded run: to be read only, so no editor is needed. */
function reading({ known }: App, host: HTMLElement, note: HTMLElement): TextView {
  const text = element("pre", { tabindex: 0, "aria-label": "Model text" });
  host.append(text);
  known.model.see((model) => write(text, model?.text ?? ""));
  return { tools: [note], open() {}, focus: () => text.focus(), go() {} };
}

/** The text in the editor: checked as it is typed, run when asked. */
function editing(app: App, host: HTMLElement, problems: Cell<readonly Problem[]>): TextView {
  const { known, control, source } = app;
  let code: Code | null = null;
  let loading: Promise<void> | null = null;
  let changed = false; // the text differs from the model that runs
  let timer = 0;
  const state = element("span", { class: "muted" });
  const run = async () => {
    if (!code) return;
    const text = code.text;
    const found = await control.open({ text });
    problems.set(found);
    if (found.length === 0) mark(false);
  };
  const runs = button({
    label: "run this text",
    key: "Ctrl Enter",
    text: "run",
    class: "main",
    press: () => void run(),
  });
  const saves = button({
    label: "write the text into its file",
    text: "save",
    press: async () => {
      const answer = code && (await control.send({ do: "save", text: code.text }));
      if (answer) control.notice.set("saved");
    },
  });
  const mark = (differs: boolean) => {
    changed = differs;
    runs.disabled = !differs;
    write(state, differs ? "edited" : "");
  };
  mark(false);
  const check = async () => {
    if (!code) return;
    try {
      const answer = await source.ask({ do: "check", text: code.text });
      const found = answer.problems ?? [];
      problems.set(found);
      code.know(found.length === 0 ? ((answer.names ?? []) as readonly Name[]) : null);
    } catch {
      code.know(null);
      // without a server there is no check; the bar says that it is away
    }
  };
  const typed = (text: string) => {
    mark(text !== known.model.value?.text);
    clearTimeout(timer);
    timer = setTimeout(() => void check(), PATIENCE) as unknown as number;
  };
  const load = async () => {
    if (__REPLAY__) return; // an editor has no place in a recorded run
    const { Code: Editor } = await import("./code.ts");
    const leave = () => {
      code?.blur();
      host.closest<HTMLElement>(".pane")?.querySelector("button")?.focus();
    };
    code = new Editor(host, known.model.value?.text ?? "", {
      changed: typed,
      run: () => void run(),
      leave,
    });
    if (known.model.value) void check();
  };
  problems.on((found) => code?.mark(found));
  new ResizeObserver(() => code?.stay()).observe(host);
  known.model.on((model) => {
    saves.hidden = !model?.can_save;
    if (!code || !model || (changed && model.text !== code.text)) return;
    code.text = model.text;
    mark(false);
  });
  return {
    tools: [state, saves, runs],
    open() {
      loading ??= load();
    },
    focus: () => void loading?.then(() => code?.focus()),
    go: (problem) => code?.go(problem),
  };
}

/** The first few problems in words; a click goes there. */
function problemList(problems: Cell<readonly Problem[]>, go: (problem: Problem) => void) {
  const list = element("div", { class: "problems", role: "log", "aria-label": "Problems" });
  problems.see((found) => {
    list.hidden = found.length === 0;
    const some = found.slice(0, SHOWN).map((problem) => {
      const place = problem.line > 0 ? `${problem.line}:${problem.column} ` : "";
      const text = element("span", {}, problem.message);
      const item = element("button", { type: "button" }, element("b", {}, place), text);
      item.onclick = () => go(problem);
      return item;
    });
    const more = found.length - some.length;
    const rest = more > 0 ? [element("span", {}, `and ${counted(more, "more problem")}`)] : [];
    list.replaceChildren(...some, ...rest);
  });
  return list;
}

/** What is to be known of a model that runs: what was left out, and who runs it instead. */
function noteList({ known }: App): HTMLElement {
  const list = element("div", { class: "notes muted", role: "note", "aria-label": "Notes" });
  known.model.see((model) => {
    const notes = model?.notes ?? [];
    list.hidden = notes.length === 0;
    list.replaceChildren(...notes.map((note) => element("span", {}, note)));
  });
  return list;
}
