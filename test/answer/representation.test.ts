import { describe, expect, it } from "vitest";
import { chooseCoding } from "../../src/answer/answer.js";

describe("Accept-Encoding (q-values included)", () => {
  it.each([
    [undefined, "identity"],
    ["", "identity"],
    ["gzip", "gzip"],
    ["x-gzip", "gzip"],
    ["br", "br"],
    ["gzip, deflate, br, zstd", "br"],
    ["GZIP", "gzip"],
    ["*", "br"],
    ["gzip;q=0", "identity"],
    ["br;q=0, *", "gzip"],
    ["gzip;q=0.8, br;q=0.5", "gzip"],
    ["gzip;q=0.5, br;q=0.5", "br"],
    ["identity, gzip;q=0.5", "identity"],
    ["identity;q=0.5, gzip", "gzip"],
    ["identity, gzip", "gzip"],
    ["*;q=0", "identity"],
    ["identity;q=0", "identity"],
    ["zebra", "identity"],
    ["gzip;q=2", "identity"],
    ["gzip;q=x", "identity"],
    ["gzip ; q=0.001", "gzip"],
    ["brotli", "identity"],
  ])("%j chooses %s", (header, coding) => {
    expect(chooseCoding(header)).toBe(coding);
  });
});

describe("a list of codings that no client sends", () => {
  it.each(["br;q=0.5,".repeat(200), `br${",".repeat(15_000)}`, `br${" ; ;".repeat(3_000)}`])(
    "is not read, and the bytes are sent uncompressed",
    (header) => {
      expect(chooseCoding(header)).toBe("identity");
    },
  );
});
