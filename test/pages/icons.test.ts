import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { ICON_IMAGES } from "#scripts/texts";

/** What a filter of PNG adds to a byte: of the bytes to the left, above, and above that. */
const FILTERS: readonly ((left: number, up: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  (left, up, corner) => {
    const distance = (one: number) => Math.abs(left + up - corner - one);
    if (distance(left) <= distance(up) && distance(left) <= distance(corner)) return left;
    return distance(up) <= distance(corner) ? up : corner;
  },
];

/** Reads a PNG of RGBA pixels with one block of data, as ours are. */
function pixelsIn(png: Buffer): { size: number; at(x: number, y: number): number[] } {
  expect(png.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  const size = png.readUInt32BE(16);
  expect([png.readUInt32BE(20), png[24], png[25]]).toEqual([size, 8, 6]);
  const data = png.subarray(41, 41 + png.readUInt32BE(33));
  const rows = inflateSync(data);
  const length = size * 4 + 1;
  expect(rows.length).toBe(size * length);
  for (let i = 0; i < rows.length; i += 1) {
    const column = i % length;
    if (column === 0) continue;
    const byteAt = (x: number, y: number) => (x < 1 || y < 0 ? 0 : rows[y * length + x]!);
    const y = (i - column) / length;
    const left = column - 4;
    const near = [byteAt(left, y), byteAt(column, y - 1), byteAt(left, y - 1)] as const;
    rows[i] = rows[i]! + FILTERS[rows[i - column]!]!(...near);
  }
  return {
    size,
    at: (x, y) => [...rows.subarray(y * length + 1 + x * 4).subarray(0, 4)],
  };
}

describe("the icon's images", () => {
  it("show four rising bars on a dark ground, the highest to the right", () => {
    const { size, at } = pixelsIn(Buffer.from(ICON_IMAGES.touchIcon, "base64"));
    expect(size).toBe(180);
    const colours = [8, 13, 18, 24].map((x) => at(Math.round((x * 180) / 32), 140));
    expect(colours).toEqual([
      [0xf5, 0x75, 0x6a, 255],
      [0xec, 0xa5, 0x3d, 255],
      [0xa5, 0xcb, 0x52, 255],
      [0x4b, 0xcd, 0x92, 255],
    ]);
  });

  it("are an ICO file of two sizes, whose corners are round", () => {
    const ico = Buffer.from(ICON_IMAGES.favicon, "base64");
    expect([ico.readUInt16LE(0), ico.readUInt16LE(2), ico.readUInt16LE(4)]).toEqual([0, 1, 2]);
    let end = 0;
    for (const [place, size] of [16, 32].entries()) {
      const entry = ico.subarray(6 + 16 * place);
      const length = entry.readUInt32LE(8);
      const offset = entry.readUInt32LE(12);
      const image = pixelsIn(ico.subarray(offset, offset + length));
      expect([entry[0], entry[1], image.size]).toEqual([size, size, size]);
      expect(image.at(0, 0)[3]).toBeLessThan(60);
      end = offset + length;
    }
    expect(end).toBe(ico.length);
    expect(ico.length).toBeLessThan(1_200);
  });
});
