import { createHash } from "node:crypto";
import { afterEach, expect, it, vi } from "vitest";
import { sha256Of } from "../../src/lib/sha256.js";
import { slowSha256 } from "../../src/lib/slow-sha256.js";

const expected = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

afterEach(() => vi.unstubAllGlobals());

it("the digest that needs no secure context is SHA-256, for every length around a block and for many bytes", () => {
  for (const length of [...Array(200).keys(), 1_000_003]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) >> 2);
    expect([length, Buffer.from(slowSha256(bytes)).toString("hex")]).toEqual([
      length,
      expected(bytes),
    ]);
  }
});

it("pages that were loaded without TLS check digests, too", async () => {
  const bytes = Buffer.from("a page over plain http");
  expect(await sha256Of(bytes)).toBe(expected(bytes));
  vi.stubGlobal("crypto", {});
  expect(await sha256Of(bytes)).toBe(expected(bytes));
});
