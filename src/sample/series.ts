import type { Sink, SinkFile } from "./sink.js";

interface Series {
  readonly file: SinkFile;
  /** The file's place in its series, from 0. */
  readonly number: number;
  lines: number;
}

/** Numbered ndjson files, a series a folder: when one is full the next begins. */
export class SeriesSet {
  readonly #sink: Sink;
  readonly #linesMax: number;
  readonly #series = new Map<string, Series>();

  /** @param linesMax records of a file */
  constructor(sink: Sink, linesMax: number) {
    this.#sink = sink;
    this.#linesMax = linesMax;
  }

  async add(folder: string, record: object): Promise<void> {
    const current = this.#series.get(folder);
    const series =
      current === undefined || current.lines === this.#linesMax
        ? await this.#next(folder, current)
        : current;
    series.lines += 1;
    await series.file.write(`${JSON.stringify(record)}\n`);
  }

  /** Closes every file, also when one cannot be closed. @throws what the first of those threw. */
  async close(): Promise<void> {
    const closed = await Promise.allSettled(
      Array.from(this.#series.values(), ({ file }) => file.close()),
    );
    this.#series.clear();
    for (const result of closed) if (result.status === "rejected") throw result.reason;
  }

  async #next(folder: string, full: Series | undefined): Promise<Series> {
    if (full !== undefined) {
      this.#series.delete(folder);
      await full.file.close();
    }
    const number = full === undefined ? 0 : full.number + 1;
    const path = `${folder}/part-${String(number).padStart(4, "0")}.ndjson`;
    const series = { file: await this.#sink.open(path), number, lines: 0 };
    this.#series.set(folder, series);
    return series;
  }
}
