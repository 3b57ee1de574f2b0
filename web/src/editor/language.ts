// The model language as the editor knows it: which words have which colour.
import { LanguageSupport, StreamLanguage, type StringStream } from "@codemirror/language";

/** Words that begin a statement. */
export const STATEMENTS =
  "parameter gravity impact planar body input force torque spring damper joint rope contact property horizon function " +
  "automaton discontinuous channel system scene repeat include";

/** Words inside statements. */
const ENTRIES =
  "sphere radius plane normal point capsule cylinder disc rounding ellipsoid axes polyhedron vertices hull scale most centred part mass density inertia position rotation velocity spin moves turns drags fixed stiffness length " +
  "revolute prismatic spherical weld distance stop gap axis angle limits " +
  "damping restitution tangential_restitution friction rolling spinning offers on off all location edge initial fmu step " +
  "invariant when do sync action urgent committed broadcast priority surface width control period " +
  "along above below sliding rising falling in until before always eventually and or not line circle " +
  "box text gauge at from to size turn colour show glow value say unit digits implies " +
  "historically once since if then else pieces linear switching";

const KINDS = "real clock int bool";
const ATOMS = "true false";
const FUNCTIONS = "abs sqrt exp log sin cos tan asin acos atan atan2 sign min max floor ceil";

const UNITS = "km|cm|mm|um|min|ms|us|kg|kN|mN|Hz|rad|deg|rev|rpm|m|s|h|g|N|J|W";
const UNIT = `(?:${UNITS})(?:\\^-?[1-9])?`;
/** A number with the unit behind it; a name that has a rate is none. */
const NUMBER = new RegExp(
  `^([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][+-]?[0-9]+)?(\\s*${UNIT}(?:[*/]${UNIT})*(?![\\w.(\\[^])(?!\\s*'))?`,
);

const words = new Map<string, string>([
  ...pairs(STATEMENTS, "keyword"),
  ...pairs(ENTRIES, "propertyName"),
  ...pairs(KINDS, "typeName"),
  ...pairs(ATOMS, "atom"),
  ...pairs(FUNCTIONS, "variableName.standard"),
]);

function pairs(list: string, style: string): [string, string][] {
  return list.split(" ").map((word) => [word, style]);
}

/** Every word of the language, for completion. */
export const WORDS: readonly string[] = [...words.keys()];

/** The style of the next piece of a line. */
export function token(stream: StringStream): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(/^(#|\/\/).*/)) return "comment";
  if (stream.match(/^"[^"]*"?/)) return "string";
  if (stream.match(NUMBER)) return "number";
  const name = stream.match(/^[A-Za-z_]\w*/) as RegExpMatchArray | null;
  if (name) return words.get(name[0]) ?? "variableName";
  if (stream.match(/^(:=|->|<=|>=|==|!=|\|\||[-+*/^<>=!?'])/)) return "operator";
  stream.next();
  return null;
}

export function modelLanguage(): LanguageSupport {
  const language = StreamLanguage.define({
    name: "drbt",
    token,
    languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{"] } },
  });
  return new LanguageSupport(language);
}
