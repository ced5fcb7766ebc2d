import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runChild } from "../engine/child.js";
import { figure, table } from "../engine/statistics.js";
import { FOLDER, storeOf } from "../engine/stores.js";
import { Pairs } from "../serve/pairs.js";
import { Wrk } from "../serve/wrk.js";
import type { PageTimes } from "./page-time.js";

/** Milliseconds of processors' time that a page of 42 kB may take. */
const BAR_MS = 0.25;
/** Share of a bare server's requests, where pages are kept. */
const BAR_KEPT = "0.5";

/** What a page of 42 kB of the sample takes to make, and the rate of pages that are kept beside a bare server's. */
export async function makingText(rounds: number): Promise<string> {
  const store = storeOf(500);
  const times = await runChild<PageTimes>("pages/page-time.js", { store, rounds });
  const { host, bytes, reading, drawing, whole, compressed } = times;
  const rows = [
    ["reading the report's JSON", reading],
    ["drawing the page", drawing],
    ["the whole answer, not kept", whole],
    ["the whole answer with brotli, not kept", compressed],
  ] as const;
  const folder = join(FOLDER, "making");
  mkdirSync(folder, { recursive: true });
  const wrk = new Wrk(folder);
  const pairs = new Pairs({ wrk, store, seconds: 5, pairs: 3 });
  const target = wrk.targets("page", [`/sites/${host}`]);
  await pairs.beside("the page, kept", target, BAR_KEPT);
  await pairs.beside("the page, made each time", target, "", ["--cache-mb", "0"]);
  return [
    `The page of ${host}, ${figure(bytes / 1_000)} kB; CPU a page, medians of ${rounds} (bar ${BAR_MS} ms, or ${BAR_KEPT} of a bare server's rate where pages are kept)`,
    table(
      ["", "ms"],
      rows.map(([name, ms]) => [name, ms.toFixed(3)]),
    ),
    pairs.table,
  ].join("\n\n");
}
