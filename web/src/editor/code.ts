// The editor itself (CodeMirror), loaded when it is first shown. It lives in a shadow root, where its
// style sheets need no permission of the page's content security policy.
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, type Text } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Problem } from "../protocol/messages.ts";
import { modelLanguage, WORDS } from "./language.ts";

export interface Name {
  name: string;
  kind: string;
}

export interface CodeEvents {
  changed(text: string): void;
  run(): void;
  leave(): void;
}

const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)", fontWeight: "600" },
  { tag: tags.propertyName, color: "var(--code-entry)" },
  { tag: tags.typeName, color: "var(--code-type)" },
  { tag: [tags.number, tags.atom, tags.string], color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
  { tag: tags.standard(tags.variableName), color: "var(--code-type)" },
]);

const LOOK = EditorView.theme({
  "&": { height: "100%", fontSize: "12.5px", color: "var(--text)", background: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: '"JetBrains Mono", "Cascadia Code", "DejaVu Sans Mono", Menlo, Consolas, monospace',
    lineHeight: "1.5",
  },
  ".cm-gutters": { background: "transparent", color: "var(--muted)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { padding: "0 6px 0 8px", minWidth: "22px" },
  ".cm-activeLine": { background: "color-mix(in srgb, var(--accent-ground) 45%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--text)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { background: "var(--accent-ground)" },
  ".cm-selectionMatch": { background: "var(--warn-ground)" },
  ".cm-tooltip": {
    background: "var(--pane)",
    color: "var(--text)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
  },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    background: "var(--accent-ground)",
    color: "var(--text)",
  },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--bad) 1.5px",
    textUnderlineOffset: "3px",
  },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--bad)" },
});

export class Code {
  private readonly view: EditorView;
  private names: readonly Name[] = [];
  private told: () => void = () => {};
  private readonly knowing = new Promise<void>((so) => {
    this.told = so;
  });

  constructor(host: HTMLElement, text: string, events: CodeEvents) {
    const root = host.attachShadow({ mode: "open" });
    const run = () => {
      events.run();
      return true;
    };
    const leave = () => {
      events.leave();
      return true;
    };
    this.view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          modelLanguage(),
          syntaxHighlighting(COLOURS),
          autocompletion({ override: [(context) => this.complete(context)], icons: false }),
          keymap.of([
            { key: "Mod-Enter", run },
            ...completionKeymap,
            { key: "Escape", run: leave },
            ...searchKeymap,
            ...historyKeymap,
            ...defaultKeymap,
            indentWithTab,
          ]),
          EditorView.contentAttributes.of({ "aria-label": "Model text; Escape leaves it" }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) events.changed(update.state.doc.toString());
          }),
          LOOK,
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    if (text === this.text) return;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  focus(): void {
    this.view.focus();
  }

  blur(): void {
    this.view.contentDOM.blur();
  }

  /** Underline what is wrong. */
  mark(problems: readonly Problem[]): void {
    const { doc } = this.view.state;
    const found = problems
      .filter(({ line }) => line > 0)
      .map((problem) => diagnostic(doc, problem));
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }

  /** Keep the line that is typed in sight where the editor has become lower. */
  stay(): void {
    if (!this.view.hasFocus) return;
    const { head } = this.view.state.selection.main;
    this.view.dispatch({ effects: EditorView.scrollIntoView(head) });
  }

  /** Put the cursor where a problem is. */
  go({ line, column }: Problem): void {
    const { doc } = this.view.state;
    if (line < 1 || line > doc.lines) return;
    const at = Math.min(doc.line(line).from + Math.max(0, column - 1), doc.length);
    this.view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    this.view.focus();
  }

  /** The names of the text; while it is wrong (null), those that it had before. */
  know(names: readonly Name[] | null): void {
    this.names = names ?? this.names;
    this.told();
  }

  private async complete(context: CompletionContext): Promise<CompletionResult | null> {
    const word = context.matchBefore(/[A-Za-z_][\w.]*/);
    if (!word && !context.explicit) return null;
    await this.knowing; // who types at once is offered names, too
    const names = this.names.map(({ name, kind }) => ({ label: name, detail: kind, boost: 1 }));
    const known = new Set(this.names.map(({ name }) => name));
    const rest = WORDS.filter((label) => !known.has(label)).map((label) => ({ label }));
    return { from: word?.from ?? context.pos, options: [...names, ...rest], validFor: /^[\w.]*$/ };
  }
}

/** Line and column become places in the text; at least one letter is marked. */
export function diagnostic(doc: Text, { line, column, length, message }: Problem): Diagnostic {
  const place = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const from = Math.min(place.from + Math.max(0, column - 1), place.to);
  const to = Math.min(Math.max(from + Math.max(length, 1), from), doc.length);
  return { from: Math.min(from, Math.max(place.from, to - 1)), to, severity: "error", message };
}
