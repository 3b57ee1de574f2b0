// Light or dark: from the system, unless the switch says otherwise. Colours live in the style sheet;
// what is drawn on a canvas asks for them here.
import { Cell } from "../state/cell.ts";

export type Theme = "light" | "dark";

const KEPT = "dyverse.theme";
const system = matchMedia("(prefers-color-scheme: dark)");

function kept(): Theme | null {
  try {
    const value = localStorage.getItem(KEPT);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null; // pages opened from disk may have no storage
  }
}

export const theme = new Cell<Theme>(kept() ?? (system.matches ? "dark" : "light"));

/** Put the theme on the page, and follow the system until the switch is used. */
export function dressPage(): void {
  document.documentElement.setAttribute("data-theme", theme.value);
  system.addEventListener("change", () => {
    if (!kept()) change(system.matches ? "dark" : "light");
  });
}

/** The style sheet first: who listens asks for its colours. */
function change(value: Theme): void {
  document.documentElement.setAttribute("data-theme", value);
  theme.set(value);
}

export function switchTheme(): void {
  change(theme.value === "dark" ? "light" : "dark");
  try {
    localStorage.setItem(KEPT, theme.value);
  } catch {
    // not kept then
  }
}

const colours = new Map<string, string>(); // of the present theme
theme.on(() => colours.clear());

/** A colour of the style sheet, such as `--text`. */
export function colour(name: `--${string}`): string {
  let value = colours.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    if (value) colours.set(name, value);
  }
  return value;
}

/** The n-th colour of a series (Okabe and Ito's palette, which colour-blind people can tell apart). */
export function seriesColour(n: number): string {
  return colour(`--series-${n % 7}`);
}

export function calm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
