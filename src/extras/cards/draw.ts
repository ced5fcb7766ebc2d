import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { FONTS } from "#extras/cards/fonts";

/**
 * The program that draws: its bytes, or a compiled `WebAssembly.Module`, whose type only browsers' and workers' types
 * have.
 */
export type CardProgram = Uint8Array | ArrayBuffer | object;

/** The library's error if its program is already loaded. */
const LOADED = "Already initialized";

/**
 * Loads the program that draws cards, once in a process. Drawing takes about 25 ms of processor time.
 * @param program the file `index_bg.wasm` of `@resvg/resvg-wasm`
 * @returns makes a PNG of an SVG
 */
export async function loadCardProgram(program: CardProgram): Promise<(svg: string) => Uint8Array> {
  await initWasm(program).catch((error: unknown) => {
    if (!String(error).includes(LOADED)) throw error;
  });
  const fontBuffers = FONTS.map((font) =>
    Uint8Array.from(atob(font), (byte) => byte.charCodeAt(0)),
  );
  return (svg) => {
    const drawing = new Resvg(svg, { font: { fontBuffers, defaultFontFamily: "Inter" } });
    const image = drawing.render();
    try {
      return image.asPng();
    } finally {
      image.free();
      drawing.free();
    }
  };
}
