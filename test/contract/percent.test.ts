import { describe, expect, it } from "vitest";
import { percentDecoded } from "../../src/contract/host.js";
import { repeated, someOf } from "../slow.js";

/** As the language decodes; null where it throws. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const escaped = (bytes: readonly number[]) =>
  bytes.map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

describe("percent escapes are decoded as JavaScript decodes them, without exceptions", () => {
  it("any byte, and any two to four that begin or end a range of UTF-8", () => {
    const edges = [0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0];
    edges.push(0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff);
    const lastBytes = someOf([0x41, 0x7f, 0x80, 0xbf, 0xc0], 1);
    const all = Array.from({ length: 256 }, (_, byte) => byte);
    const texts = all.flatMap((a) => [[a], ...(repeated(0, 1) ? all : edges).map((b) => [a, b])]);
    for (const a of edges) {
      for (const b of edges) {
        for (const c of edges) {
          texts.push([a, b, c]);
          for (const d of lastBytes) texts.push([a, b, c, d]);
        }
      }
    }
    const pairs = texts.map(escaped).map((text) => [text, decoded(text)] as const);
    expect(pairs.filter(([text, expected]) => percentDecoded(text) !== expected)).toEqual([]);
    expect(pairs.filter(([, expected]) => expected !== null).length).toBeGreaterThan(1_000);
  });

  it.each([
    "",
    "a",
    "%",
    "%4",
    "%zz",
    "%4g",
    "%%41",
    "a%C3%A9b",
    "%c3%A9%",
    "é%41",
    "+%2B",
    "%\n41",
  ])("%j", (text) => {
    expect(percentDecoded(text)).toBe(decoded(text));
  });

  it.each(["%41", "%ff", "%", "%c3%a9", "%e2%82", "a"])("8 kB of %s", (piece) => {
    const text = piece.repeat(8_192 / piece.length);
    for (const end of ["", "%", "%f0%9f%98%80"]) {
      expect(percentDecoded(text + end)).toBe(decoded(text + end));
    }
  });
});
