import { describe, expect, it } from "vitest";
import { commonOf, partOf, splitName } from "../../src/page/names.ts";

const BALLS = ["ball_1-floor_of_the_hall", "ball_12-floor_of_the_hall"];
const within = (room: number) => (text: string) => text.length <= room;

describe("long names", () => {
  it.each([
    [BALLS, { before: 5, after: 18 }],
    [["ball_1", "ball_12"], { before: 5, after: 0 }],
    [["circuit.a", "circuit.b", "pump"], { before: 0, after: 0 }],
    [["lonely"], { before: 0, after: 0 }],
    [[], { before: 0, after: 0 }],
  ])("of %j share whole words: %j", (names, common) => {
    expect(commonOf(names)).toEqual(common);
  });
  it.each([
    [99, "ball_12-floor_of_the_hall"],
    [21, "…12-floor_of_the_hall"],
    [20, "…12-floor_of_the_ha…"],
    [4, "…12…"],
    [3, "…2…"],
  ])("in %d letters are %j", (room, shown) => {
    expect(partOf(BALLS[1]!, commonOf(BALLS), within(room))).toBe(shown);
  });
  it("are cut in their middle, and read as they are", () => {
    for (const name of ["x", "a_rather_long_name.x"]) {
      expect(splitName(name).textContent).toBe(name);
    }
    expect(splitName("a_rather_long_name.x").lastChild!.textContent).toBe("ng_name.x");
  });
});
