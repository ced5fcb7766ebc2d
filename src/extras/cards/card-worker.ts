import { parentPort } from "node:worker_threads";
import { messageOf } from "../../files/errors.js";
import { openCardProgram } from "./card-thread.js";

/** A card to draw. The number tells it from the others. */
export interface CardOrder {
  readonly number: number;
  readonly svg: string;
}

export interface DrawnCard {
  readonly number: number;
  readonly png: Uint8Array | null;
  /** Why `png` is null; "" if it is not. */
  readonly error: string;
}

// The entry of the thread that draws cards (card-thread.ts).
const loaded = openCardProgram();

parentPort?.on("message", async ({ number, svg }: CardOrder) => {
  const drawn: DrawnCard = await loaded
    .then((draw) => ({ number, png: draw(svg), error: "" }))
    .catch((error: unknown) => ({ number, png: null, error: messageOf(error) }));
  parentPort?.postMessage(drawn, drawn.png === null ? [] : [drawn.png.buffer as ArrayBuffer]);
});
