import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SERVER_LIMITS } from "../../src/answer/limits.js";
import { excessOf } from "../../src/answer/request-body.js";
import { installedExtras } from "../../src/extra.js";
import { aPublishedDirectory } from "../fixtures.js";
import { expectError, send, sharedService } from "./http.js";

const { bodyValuesMax, bodyDepthMax } = SERVER_LIMITS;
const encoder = new TextEncoder();
const excess = (json: string) => excessOf(encoder.encode(json));

/** Members and elements of a value, and its levels. */
function measured(value: unknown): [values: number, depth: number] {
  if (typeof value !== "object" || value === null) return [0, 0];
  const parts = Object.values(value).map(measured);
  const values = parts.reduce((sum, [count]) => sum + count, parts.length);
  return [values, 1 + Math.max(0, ...parts.map(([, depth]) => depth))];
}

describe("a posted body", () => {
  it("is measured as its parsed value would be", () => {
    const texts = fc.string({ unit: fc.constantFrom(...'[]{},:"\\ ü\n') });
    const values = fc.letrec((tie) => ({
      any: fc.oneof(texts, fc.integer(), tie("list"), tie("map")),
      list: fc.array(tie("any"), { maxLength: 8 }),
      map: fc.dictionary(texts, tie("any"), { maxKeys: 8 }),
    })).any;
    const indents = fc.constantFrom(0, 2, "\t");
    fc.assert(
      fc.property(values, indents, fc.nat(40), (value, indent, more) => {
        const wrapped = [value, ...Array(bodyValuesMax - 20 + more).fill([])];
        const [count, depth] = measured(wrapped);
        const isTooLarge = count > bodyValuesMax || depth > bodyDepthMax;
        expect(excess(JSON.stringify(wrapped, null, indent)) !== null).toBe(isTooLarge);
      }),
    );
  });

  it("may have so many values and levels, and no more", () => {
    const list = (length: number) => JSON.stringify(Array(length).fill("a,b"));
    const levels = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(excess(list(bodyValuesMax))).toBeNull();
    expect(excess(list(bodyValuesMax + 1))).toContain("2000 members and elements");
    expect(excess(levels(bodyDepthMax))).toBeNull();
    expect(excess(levels(bodyDepthMax + 1))).toContain("32 levels");
    for (const broken of ["", "]", '"', '"\\', "[[[", '{"a":"', "\u0000"]) {
      expect(excess(broken)).toBeNull();
    }
  });

  const service = sharedService(aPublishedDirectory({}));
  const deep = `${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`;
  const many = JSON.stringify({ hosts: ["a.com"], more: Array(9_000).fill(0) });
  const posted = installedExtras().flatMap(({ reads = {} }) =>
    Object.values(reads).flatMap(({ path, read }) => (read.post === undefined ? [] : path)),
  );
  it.each(posted)("that is too large is a 400 of %s", async (target) => {
    const headers = { "content-type": "application/json", accept: "*/*" };
    for (const body of [deep, many, `[${deep}]`]) {
      const reply = await send(service.server, target, { method: "POST", headers, body });
      const message = expect.stringMatching(/2000 members|32 levels/);
      expect(expectError(reply, 400).issues).toEqual([{ path: "body", message }]);
    }
  });
});
