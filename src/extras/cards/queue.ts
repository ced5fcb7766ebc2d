import { type Content, type Failure, RETRY_AFTER } from "../../answer/content.js";
import type { Rasterize } from "../../answer/page-types.js";
import { PNG } from "./pages.js";

/** Makes a PNG of an SVG. */
type Draw = (svg: string) => Promise<Uint8Array>;

/** Pictures that may wait for their turn. A picture takes about 25 ms, so the last one waits for less than a second. */
const WAITING_MAX = 32;

/** Changes with the program that draws, so that equal tags mean equal bytes. */
const VERSION = "resvg 2.6.2 ";
const TOO_MANY: Failure = {
  status: 503,
  error: "Too many cards are being drawn; try again shortly.",
  headers: RETRY_AFTER,
};

/** Draws a picture once, however many requests wait for it, and lets few pictures wait. */
export function queued(draw: Draw): Rasterize {
  const running = new Map<string, Promise<Uint8Array>>();
  const drawOnce = (svg: string): Promise<Uint8Array> => {
    const known = running.get(svg);
    if (known !== undefined) return known;
    const drawn = draw(svg).finally(() => running.delete(svg));
    running.set(svg, drawn);
    return drawn;
  };
  return async (svg, snapshot): Promise<Content | Failure> => {
    if (running.size >= WAITING_MAX && !running.has(svg)) return TOO_MANY;
    const digest = await snapshot.digestOf(VERSION + svg);
    // The length is not known until the picture is drawn.
    return { digest, length: 0, isCompressed: true, contentType: PNG, read: () => drawOnce(svg) };
  };
}
