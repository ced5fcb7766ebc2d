/**
 * Makes the module of the fonts that cards are drawn with. An edge worker can read no files. `.build/compile.ts` runs
 * this once it has compiled the sources.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inflateSync } from "node:zlib";

const ROOT = join(import.meta.dirname, "../../../..");
const FONTS = join(ROOT, "node_modules/@fontsource/inter/files");

/**
 * Tables of a font that only other programs need: instructions for small letters, and features that names do not use.
 */
const UNUSED = ["GSUB", "GDEF", "STAT", "fpgm", "prep", "cvt ", "gasp", "meta", "DSIG"];

/**
 * Unpacks a font (WOFF to TrueType) and takes its combining marks out of its table of characters. With them, the
 * program that draws takes letters such as “ź” apart, and then finds no other font for the rest of the text.
 */
function withoutMarks(font: Buffer): Buffer {
  const tables = Array.from({ length: font.readUInt16BE(12) }, (_, index) => {
    const at = 44 + 20 * index;
    const [offset = 0, packed = 0, length = 0] = [4, 8, 12].map((to) => font.readUInt32BE(at + to));
    const stored = font.subarray(offset, offset + packed);
    const bytes = Buffer.from(packed < length ? inflateSync(stored) : stored);
    return { tag: font.toString("latin1", at, at + 4), bytes };
  }).filter(({ tag }) => !UNUSED.includes(tag));
  const head = Buffer.alloc(12 + 16 * tables.length);
  font.copy(head, 0, 4, 8);
  head.writeUInt16BE(tables.length, 4);
  const parts = [head];
  let end = head.length;
  for (const [index, { tag, bytes }] of tables.entries()) {
    if (tag === "cmap") moveMarks(bytes);
    head.write(tag, 12 + 16 * index, "latin1");
    head.writeUInt32BE(end, 20 + 16 * index);
    head.writeUInt32BE(bytes.length, 24 + 16 * index);
    parts.push(bytes, Buffer.alloc(-bytes.length & 3));
    end += bytes.length + (-bytes.length & 3);
  }
  return Buffer.concat(parts);
}

/** Moves the combining marks of a table of characters (`cmap` of format 4) to characters that no text has. */
function moveMarks(cmap: Buffer): void {
  for (let table = 0; table < cmap.readUInt16BE(2); table += 1) {
    const at = cmap.readUInt32BE(8 + 8 * table);
    if (cmap.readUInt16BE(at) !== 4) throw new Error("the font's table of characters is unknown");
    const size = cmap.readUInt16BE(at + 6);
    for (let end = at + 14; end < at + 14 + size; end += 2) {
      const start = end + 2 + size;
      const delta = end + 2 + 2 * size;
      if (cmap.readUInt16BE(start) < 0x300 || cmap.readUInt16BE(end) > 0x32f) continue;
      for (const code of [start, end]) cmap.writeUInt16BE(cmap.readUInt16BE(code) + 0x30, code);
      cmap.writeUInt16BE((cmap.readUInt16BE(delta) + 0x10000 - 0x30) % 0x10000, delta);
    }
  }
}

// Together they have the letters that `DRAWN` in ../card.ts names.
const fonts = [400, 700].flatMap((weight) => [
  withoutMarks(readFileSync(join(FONTS, `inter-latin-${weight}-normal.woff`))).toString("base64"),
  ...["vietnamese", "latin-ext", "cyrillic", "greek"].map((letters) =>
    readFileSync(join(FONTS, `inter-${letters}-${weight}-normal.woff2`), "base64"),
  ),
]);
writeFileSync(
  join(ROOT, "dist/src/extras/cards/fonts.js"),
  `export const FONTS = ${JSON.stringify(fonts)};\n`,
);
