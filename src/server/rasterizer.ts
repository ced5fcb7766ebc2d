import type { Extra, Rasterizer } from "../extra.js";

/** Opens the thread of the extra that makes pictures; null if none does. */
export async function openRasterizer(extras: readonly Extra[]): Promise<Rasterizer | null> {
  const found = extras.find((extra) => extra.openRasterizer !== undefined);
  return (await found?.openRasterizer?.()) ?? null;
}
