import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";

/* The directory's icon as images, for the programs that read no SVG. */

function pngOf(svg: string, size: number): Buffer {
  return Buffer.from(new Resvg(svg, { fitTo: { mode: "width", value: size } }).render().asPng());
}

/** Images of an SVG as an ICO file, each as PNG. */
function icoOf(svg: string, sizes: readonly number[]): Buffer {
  const images = sizes.map((size) => pngOf(svg, size));
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

/** The icon's images, in base64. Phones round the corners of the large one by themselves. */
export async function drawnIcons(svg: string): Promise<{ favicon: string; touchIcon: string }> {
  const program = createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm");
  await initWasm(readFileSync(program));
  return {
    favicon: icoOf(svg, [16, 32]).toString("base64"),
    touchIcon: pngOf(svg.replace(' rx="7"', ""), 180).toString("base64"),
  };
}
