// Numbers for people: a true minus, units behind a narrow space, no more digits than are asked for.

const NARROW = "\u202f"; // before units
const SPACE = "\u00a0"; // before words

export function signed(text: string): string {
  return text.replaceAll("-", "−");
}

/** `digits` significant ones; very large and very small numbers as powers of ten. */
export function number(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 10 ** (digits + 2) || size < 1e-4)) {
    const [digit, power] = value.toExponential(digits - 1).split("e");
    return `${signed(String(Number(digit)))}·10${raised(Number(power))}`;
  }
  return signed(String(Number(value.toPrecision(digits))));
}

function raised(power: number): string {
  const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  return String(power).replace(/./g, (c) => (c === "-" ? "⁻" : digits[Number(c)]!));
}

export function quantity(value: number, unit = "", digits = 4): string {
  return withUnit(number(value, digits), unit);
}

const NOISE = 1e-12; // what a run may be wrong by in any case: its absolute tolerance

/** A quantity of a run: what is below its tolerance is nothing. */
export function measured(value: number, unit = ""): string {
  return quantity(Math.abs(value) < NOISE ? 0 : value, unit);
}

export function withUnit(text: string, unit = ""): string {
  return unit && unit !== "1" ? `${text}${NARROW}${unit}` : text;
}

/** A time with a fixed number of decimals, so that it does not dance. */
export function seconds(time: number, decimals = 3): string {
  const digits = time.toFixed(decimals);
  return withUnit(signed(Number(digits) === 0 ? digits.replace("-", "") : digits), "s");
}

/** A factor such as a speed: `0.10×`, `1.00×`, `25.0×`. */
export function factor(value: number): string {
  return `${value.toPrecision(3)}×`;
}

/** `1 event`, `2 events`. */
export function counted(count: number, one: string): string {
  return `${count}${SPACE}${one}${count === 1 ? "" : "s"}`;
}
