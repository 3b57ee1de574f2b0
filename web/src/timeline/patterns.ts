// How modes and locations look in a lane: by pattern and words, never by hue alone.

import { colour, seriesColour } from "../page/theme.ts";
import { isContactMode, OPEN } from "../state/lanes.ts";

/** Draws one stretch of a lane: from x to x + w, in a row of height h that begins at y. */
export type Brush = (
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  w: number,
  h: number,
) => void;

const stick: Brush = (context, x, y, w, h) => {
  context.fillStyle = colour("--series-0");
  context.fillRect(x, y + 2, w, h - 4);
};

const slip: Brush = (context, x, y, w, h) => {
  context.fillStyle = hatched(context, colour("--series-1"));
  context.fillRect(x, y + 2, w, h - 4);
  context.strokeStyle = colour("--series-1");
  context.strokeRect(x + 0.5, y + 2.5, Math.max(w - 1, 0), h - 5);
};

const trans: Brush = (context, x, y, w, h) => {
  context.fillStyle = colour("--series-3");
  context.fillRect(x, y + h / 2 - 2, w, 4);
};

const open: Brush = (context, x, y, w, h) => {
  context.fillStyle = colour("--line");
  context.fillRect(x, y + h / 2, w, 1);
};

const CONTACT: Record<string, Brush> = { stick, slip, trans, [OPEN]: open };

const HATCH = 6;
const hatches = new Map<string, CanvasPattern>();

function hatched(context: CanvasRenderingContext2D, ink: string): CanvasPattern | string {
  const known = hatches.get(ink);
  if (known) return known;
  const tile = document.createElement("canvas");
  tile.width = HATCH;
  tile.height = HATCH;
  const pen = tile.getContext("2d");
  if (!pen) return ink;
  pen.strokeStyle = ink;
  pen.lineWidth = 1.6;
  for (const shift of [-HATCH, 0, HATCH]) {
    pen.beginPath();
    pen.moveTo(shift, HATCH);
    pen.lineTo(shift + HATCH, 0);
    pen.stroke();
  }
  const pattern = context.createPattern(tile, "repeat");
  if (!pattern) return ink;
  hatches.set(ink, pattern);
  return pattern;
}

const FEWEST = 3; // letters that still tell a name

/** As much of the beginning of a name as fits, or nothing where that would say nothing. */
export function firstOf(name: string, fits: (text: string) => boolean): string {
  if (fits(name)) return name;
  for (let length = name.length - 1; length >= FEWEST; length--) {
    if (fits(`${name.slice(0, length)}…`)) return `${name.slice(0, length)}…`;
  }
  return "";
}

/** The brush of a location: a pale bar with a dark edge, and its name where there is room. */
function location(name: string, index: number): Brush {
  return (context, x, y, w, h) => {
    const ink = seriesColour(index);
    context.globalAlpha = 0.22;
    context.fillStyle = ink;
    context.fillRect(x, y + 1, w, h - 2);
    context.globalAlpha = 1;
    context.fillRect(x, y + 1, Math.min(3, w), h - 2);
    const shown = firstOf(name, (text) => context.measureText(text).width <= w - 11);
    context.fillStyle = colour("--text");
    context.fillText(shown, x + 7, y + h / 2 + 0.5);
  };
}

export function brushOf(value: string, locations: readonly string[]): Brush {
  if (isContactMode(value) && !locations.includes(value)) return CONTACT[value]!;
  return location(value, Math.max(0, locations.indexOf(value)));
}

/** For the legend: the modes of contacts, and how each is drawn. */
export const MODES: readonly (readonly [string, Brush])[] = [
  ["stick", stick],
  ["slip", slip],
  ["trans", trans],
  ["open", open],
];
