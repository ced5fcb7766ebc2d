import { crc32, deflateSync } from "node:zlib";

/*
 * The directory's icon as images, for the programs that read no SVG. It is the drawing of ICON in
 * src/pages/kit/asset-texts.ts.
 */

type Colour = readonly [red: number, green: number, blue: number];

const SIDE = 32;
const CORNER = 7;
const GROUND: Colour = [0x12, 0x17, 0x1f];
/** Left edge, top edge and colour of each bar. */
const BARS: readonly (readonly [left: number, top: number, colour: Colour])[] = [
  [6, 19, [0xf5, 0x75, 0x6a]],
  [11.3, 15, [0xec, 0xa5, 0x3d]],
  [16.7, 11, [0xa5, 0xcb, 0x52]],
  [22, 6, [0x4b, 0xcd, 0x92]],
];
const BAR_WIDTH = 4;
const BAR_END = 26;

/** The colour at a point of the drawing; null outside of it. */
function colourAt(x: number, y: number, corner: number): Colour | null {
  const inset = (place: number) => Math.max(corner - place, place - (SIDE - corner), 0);
  if (Math.hypot(inset(x), inset(y)) > corner) return null;
  const bar = BARS.find(
    ([left, top]) => x >= left && x < left + BAR_WIDTH && y >= top && y < BAR_END,
  );
  return bar === undefined ? GROUND : bar[2];
}

/** Points a pixel and direction whose colours are mixed. */
const SAMPLES = 8;

/** The pixels of the drawing, four bytes each. @param corner the radius of its corners */
function pixelsOf(size: number, corner: number): Uint8Array {
  const pixels = new Uint8Array(size * size * 4);
  for (let pixel = 0; pixel < size * size; pixel += 1) {
    const sum = [0, 0, 0];
    let covered = 0;
    for (let sample = 0; sample < SAMPLES * SAMPLES; sample += 1) {
      const x = (pixel % size) + ((sample % SAMPLES) + 0.5) / SAMPLES;
      const y = Math.floor(pixel / size) + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES;
      const colour = colourAt((x * SIDE) / size, (y * SIDE) / size, corner);
      if (colour === null) continue;
      covered += 1;
      for (const [place, part] of colour.entries()) sum[place] = (sum[place] ?? 0) + part;
    }
    const mixed = sum.map((part) => Math.round(part / Math.max(covered, 1)));
    pixels.set([...mixed, Math.round((255 * covered) / SAMPLES ** 2)], pixel * 4);
  }
  return pixels;
}

/** A square image as PNG (RFC 2083): eight bits for red, green, blue and opacity. */
function pngOf(size: number, corner: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6], 8);
  const pixels = pixelsOf(size, corner);
  const rows = Array.from({ length: size }, (_, row) => [
    Buffer.of(0),
    pixels.subarray(row * size * 4, (row + 1) * size * 4),
  ]);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows.flat()), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
}

/** Images as an ICO file, each as PNG. */
function icoOf(sizes: readonly number[]): Buffer {
  const images = sizes.map((size) => pngOf(size, CORNER));
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  for (const [place, image] of images.entries()) {
    const at = 6 + 16 * place;
    head.set([sizes[place] ?? 0, sizes[place] ?? 0], at);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(image.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += image.length;
  }
  return Buffer.concat([head, ...images]);
}

/** The icon's images, in base64. Phones cut the corners of the large one by themselves. */
export function drawnIcons(): { readonly favicon: string; readonly touchIcon: string } {
  return {
    favicon: icoOf([16, 32]).toString("base64"),
    touchIcon: pngOf(180, 0).toString("base64"),
  };
}
