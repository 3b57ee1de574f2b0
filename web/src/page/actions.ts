// Everything that a key can do. Buttons are made from the same table, so that every tooltip names
// its key, and the help lists them all.
import { button, type IconName } from "./dom.ts";

export interface Action {
  label: string;
  key: string; // as in KeyboardEvent.key, with "Shift+" in front where it is needed
  group: Group;
  run: () => void;
}

export type Group = "time" | "look" | "model";

const SHOWN: Record<string, string> = {
  " ": "space",
  ArrowLeft: "←",
  ArrowRight: "→",
  Home: "Home",
  End: "End",
};

/** A key as people call it: `Shift →`. */
export function keyName(key: string): string {
  const shifted = key.startsWith("Shift+");
  const bare = shifted ? key.slice("Shift+".length) : key;
  const name = SHOWN[bare] ?? (bare.length === 1 ? bare.toUpperCase() : bare);
  return shifted ? `Shift ${name}` : name;
}

export class Actions {
  private readonly byKey = new Map<string, Action>();

  add(action: Action): Action {
    if (this.byKey.has(action.key)) throw new Error(`two actions for the key ${action.key}`);
    this.byKey.set(action.key, action);
    return action;
  }

  get all(): Action[] {
    return [...this.byKey.values()];
  }

  /** Listen to the keys of the whole page. */
  listen(target: Document): void {
    target.addEventListener("keydown", (event) => this.press(event));
    target.addEventListener("click", letGo);
  }

  press(event: KeyboardEvent): void {
    const key = keyOf(event);
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (belongsTo(event.target, key)) return;
    const action = this.byKey.get(key);
    if (!action) return;
    event.preventDefault();
    action.run();
  }
}

/** A button pressed with the pointer does not keep the focus: space is to play, not to press it. */
function letGo(event: MouseEvent): void {
  const held = document.activeElement;
  if (event.detail === 0 || !(held instanceof HTMLElement)) return; // pressed with a key
  if (held.matches("button, summary, input[type=range]")) held.blur();
}

/** Shift counts where it does not itself make another sign. */
function keyOf(event: KeyboardEvent): string {
  const { key } = event;
  if (key.length > 1) return event.shiftKey ? `Shift+${key}` : key;
  return key.toLowerCase();
}

const TYPED = "input:not([type=range]):not([type=checkbox]), textarea, select, [data-typing]";
const PRESSED =
  "button, summary, a[href], input[type=checkbox], [role=tab], [role=option], [role=menuitem]";
const SLID = "input[type=range], [role=slider], [role=separator], [role=tab], [role=listbox]";

/** Does the element that has the focus want this key for itself? */
function belongsTo(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest(TYPED)) return true;
  if (key === " ") return target.closest(PRESSED) !== null;
  const moves = /^(Shift\+)?(Arrow|Home|End|Page)/.test(key);
  return moves && target.closest(SLID) !== null;
}

/** The button of an action. */
export function actionButton(
  action: Action,
  look: { icon?: IconName; text?: string; class?: string },
): HTMLButtonElement {
  return button({ label: action.label, key: keyName(action.key), press: action.run, ...look });
}
