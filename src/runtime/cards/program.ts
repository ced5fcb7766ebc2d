import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { loadCardProgram } from "./draw.js";

/** Loads the program that draws cards from its package. */
export function openCardProgram(): Promise<(svg: string) => Uint8Array> {
  const path = createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm");
  return loadCardProgram(readFileSync(path));
}
