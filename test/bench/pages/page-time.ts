import { readDrawn } from "../../../src/pages/report/excerpt.js";
import { reportPage } from "../../../src/pages/report/report-page.js";
import { answer } from "../../../src/runtime/answer/answer.js";
import { compress, SERVER_PAGES } from "../../../src/runtime/http/server-pages.js";
import { loadSnapshot } from "../../../src/runtime/snapshot/load-snapshot.js";
import { currentId } from "../../../src/store/reader.js";
import { childInput, childOutput } from "../engine/child.js";
import { median } from "../engine/statistics.js";
import { drawnHosts } from "../serve/hosts.js";

/** Milliseconds of processors' time that a page of a report takes, in parts and whole, without a socket or a cache. */
export interface PageTimes {
  readonly host: string;
  /** Of the page. */
  readonly bytes: number;
  /** Reads the report's JSON. */
  readonly reading: number;
  /** Draws the page as a text, in one piece. */
  readonly drawing: number;
  /** All that answers a request: finds and reads the report, draws, encodes, hashes. */
  readonly whole: number;
  /** The answer with brotli, which a server does once for each page that it keeps. */
  readonly compressed: number;
}

/** The size of page to measure. */
const BYTES = 42_000;
const PAGES = 1_000;
const COMPRESSED_PAGES = 50;
const SEED = 1;

const { store, rounds } = childInput<{ store: string; rounds: number }>();
const { snapshot } = await loadSnapshot(store, (await currentId(store)) ?? "");
const { host, bytes } = await nearest();
const listing = await snapshot.listing(host);
if (listing === undefined) throw new Error(`${host} has no report`);
const json = await snapshot.readAnswer(listing.report);
const { report, left } = readDrawn(json);
const parts: [keyof PageTimes, number, () => unknown][] = [
  ["reading", PAGES, () => readDrawn(json)],
  // Looking at a character joins the pieces that a text is made of.
  ["drawing", PAGES, () => reportPage(report, snapshot.directory, left).charCodeAt(0)],
  ["whole", PAGES, () => ask(host)],
  ["compressed", COMPRESSED_PAGES, () => ask(host, "br")],
];
const times: Record<string, number[]> = {};
for (const [, pages, make] of parts) await cpuOf(pages, make);
for (let round = 0; round < rounds; round += 1) {
  for (const [name, pages, make] of parts) {
    times[name] = [...(times[name] ?? []), await cpuOf(pages, make)];
  }
}
const medians = Object.entries(times).map(([name, values]) => [name, median(values)]);
childOutput({ host, bytes, ...Object.fromEntries(medians) });
process.exit();

/** Milliseconds a page. */
async function cpuOf(pages: number, make: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  for (let page = 0; page < pages; page += 1) await make();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000 / pages;
}

function ask(host: string, acceptEncoding?: string) {
  const onDamage = (error: Error) => {
    throw error;
  };
  return answer(
    { method: "GET", target: `/sites/${host}`, isForPerson: true, acceptEncoding },
    { snapshot, pages: SERVER_PAGES, compress, onDamage },
  );
}

/** The report whose page is nearest to the size. */
async function nearest(): Promise<{ host: string; bytes: number }> {
  let best = { host: "", bytes: 0 };
  for (const host of await drawnHosts(store, SEED)) {
    const bytes = (await ask(host)).body?.length ?? 0;
    if (Math.abs(bytes - BYTES) < Math.abs(best.bytes - BYTES)) best = { host, bytes };
  }
  return best;
}
