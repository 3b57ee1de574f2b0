// Time along the page: lanes, plots and ruler share one scale, so that one cursor goes through all.
import type { Span } from "../protocol/messages.ts";

/** Room on the left for names and values, then for the axis of a plot; and a little on the right. */
export const NAMES = globalThis.innerWidth < 700 ? 118 : 190; // as in timeline.css
export const AXIS = globalThis.innerWidth < 700 ? 40 : 52;
export const GUTTER = NAMES + AXIS;
export const MARGIN = 14;

export interface Scale extends Span {
  left: number; // px, where `from` is
  right: number; // px, where `to` is
}

export function scaleOf(span: Span, width: number): Scale {
  return { ...span, left: GUTTER, right: Math.max(GUTTER + 1, width - MARGIN) };
}

export function toPixel(scale: Scale, time: number): number {
  const share = (time - scale.from) / (scale.to - scale.from);
  return scale.left + share * (scale.right - scale.left);
}

export function toTime(scale: Scale, pixel: number): number {
  const share = (pixel - scale.left) / (scale.right - scale.left);
  return scale.from + share * (scale.to - scale.from);
}

/** Round times for the ruler, about one per 90 pixels, and how many decimals they need. */
export function ticks(scale: Scale): { times: number[]; decimals: number } {
  const room = Math.max(1, (scale.right - scale.left) / 90);
  const raw = (scale.to - scale.from) / room;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5].find((s) => s * power >= raw * (1 - 1e-9)) ?? 10);
  const first = Math.ceil(scale.from / step - 1e-9);
  const last = Math.floor(scale.to / step + 1e-9);
  const times = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step);
  return { times, decimals: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}
