import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import * as assets from "#scripts/texts";
import type { AnswerContext } from "../answer/answer.js";
import type { Pages, Rasterize } from "../answer/page-types.js";
import { pageOptionsOf, pagesOf } from "../answer/pages.js";
import { installedExtras } from "../extra.js";

/** All pages of this process, and the files that they load. @param rasterize Default: there are no pictures */
export function serverPages(rasterize?: Rasterize): Pages {
  return pagesOf(async () => assets, { ...pageOptionsOf(installedExtras()), rasterize });
}

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Brotli quality, from 0 to 11. A report of 15 kB becomes 3.7 kB in 0.3 ms; quality 9 makes 3.5 kB in 7 ms. */
const BROTLI_QUALITY = 4;

/** Running compressions, by the tag of their output. */
const running = new Map<string, Promise<Uint8Array>>();

/** Compresses bytes in another thread. Callers that ask for the same tag while it runs share one result. */
export const compress: AnswerContext["compress"] = (bytes, coding, tag) => {
  const shared = running.get(tag);
  if (shared !== undefined) return shared;
  const made: Promise<Uint8Array> =
    coding === "gzip"
      ? gzipAsync(bytes)
      : brotliAsync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
  const settled = made.finally(() => running.delete(tag));
  running.set(tag, settled);
  return settled;
};
