import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import type { CardOrder, DrawnCard } from "./card-worker.js";
import { loadCardProgram } from "./draw.js";

interface AwaitedCard {
  resolve(png: Uint8Array): void;
  reject(error: Error): void;
}

/** A thread that draws cards. It starts with the first card: the program that draws takes 0.1 s and 30 MB to load. */
export class CardThread {
  #worker: Worker | null = null;
  #number = 0;
  readonly #waiting = new Map<number, AwaitedCard>();

  /** Makes a PNG of an SVG. Rejects if the thread fails; the next card starts another. */
  draw(svg: string): Promise<Uint8Array> {
    this.#worker ??= this.#start();
    this.#number += 1;
    const order: CardOrder = { number: this.#number, svg };
    this.#worker.postMessage(order);
    return new Promise((resolve, reject) => {
      this.#waiting.set(order.number, { resolve, reject });
    });
  }

  /** Ends the thread. Cards that are still being drawn are rejected. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL("./card-worker.js", import.meta.url));
    // A process that has nothing else to do ends.
    worker.unref();
    worker.on("message", ({ number, png, error }: DrawnCard) => {
      const waiting = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (png === null) waiting?.reject(new Error(`the card cannot be drawn: ${error}`));
      else waiting?.resolve(png);
    });
    worker.on("error", (error) => this.#fail(error as Error));
    worker.on("exit", () => this.#fail(new Error("the thread that draws cards has ended")));
    return worker;
  }

  #fail(error: Error): void {
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/** Loads the program that draws cards from its package. */
export function openCardProgram(): Promise<(svg: string) => Uint8Array> {
  const path = createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm");
  return loadCardProgram(readFileSync(path));
}
