import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { itemAt } from "../../../src/contract/tables.js";
import { dataFiles } from "../../../src/export/data-files.js";
import { installExtras } from "../../../src/extra.js";
import { EXTRAS } from "../../../src/extras/index.js";
import { openSearchFiles } from "../../../src/extras/search-files/open.js";
import { type FetchHandler, makeHandler } from "../../../src/fetch/handler.js";
import { treeStore } from "../../../src/fetch/store.js";
import { currentId, StoredSnapshot } from "../../../src/store/reader.js";
import { figure, median, note, percentile, report, storeOf, table } from "../../bench/kit.js";
import { seeded } from "../../oracle/random.js";

/**
 * `npm run bench:search [-- options]`: what a browser downloads from a tree of files until it has the first rows of a
 * search, its scripts apart, and then until it has the counts of facets. Each text is searched on a first visit. The
 * figures go into RESULTS.md. Exits with 1 if they miss a bar. Options:
 *
 *     --listings 20000,100000   the samples' sizes
 *     --store <folder>          a store in place of samples
 *     --texts 200               how many texts, each a word of a listing's tagline
 *     --print                   leaves RESULTS.md as it is
 */
const { values: options } = parseArgs({
  options: {
    listings: { type: "string", default: "20000,100000" },
    store: { type: "string" },
    texts: { type: "string", default: "200" },
    print: { type: "boolean", default: false },
  },
});
installExtras(EXTRAS);
const SEED = 1;
/** The most kilobytes to the first rows: by median, and at worst. */
const barOf = (listings: number) => ({ median: listings > 20_000 ? 120 : 80, worst: 300 });

type Tree = Awaited<ReturnType<typeof treeOf>>;

interface Cost {
  readonly bytes: number;
  readonly requests: number;
}

/** The files of a tree that its scripts read, by their paths. */
async function treeOf(store: string): Promise<(path: string) => Promise<Uint8Array>> {
  const snapshot = await StoredSnapshot.openManifest(store, (await currentId(store)) ?? "");
  const files = dataFiles(snapshot, false);
  const contents = new Map<string, Promise<Uint8Array>>();
  return (path) => {
    const content = contents.get(path) ?? files.get(path)?.make() ?? snapshot.readDocument(path);
    contents.set(path, content);
    return content;
  };
}

/** A visit to a tree: its handler, and what it has downloaded so far. */
async function visit(tree: Tree): Promise<{ handler: FetchHandler; cost: () => Cost }> {
  let bytes = 0;
  let requests = 0;
  const source = treeStore(async (path, range) => {
    requests += 1;
    const whole = await tree(path);
    const read = range ? whole.subarray(range.offset, range.offset + range.length) : whole;
    // Hosts compress documents.
    bytes += path.endsWith(".json") ? gzipSync(read).length : read.length;
    return read;
  });
  const extra = { name: "search-files", searchEngine: openInPage };
  const handler = await makeHandler({ store: source, extras: [extra] }, null, {}, true);
  return { handler, cost: () => ({ bytes, requests }) };
}

/** As the workers of pages open the files. */
function openInPage(source: Parameters<typeof openSearchFiles>[0]) {
  return openSearchFiles(source, false);
}

/** The members of answers that are looked at. */
interface Answer {
  readonly data: readonly { readonly tagline: string | null }[];
  readonly pagination: { readonly total: number; readonly totalPages: number };
}

async function ask(handler: FetchHandler, target: string): Promise<Answer> {
  const response = await handler(new Request(`https://tree.invalid/api/${target}`));
  if (response.status !== 200) throw new Error(`${target} was answered with ${response.status}`);
  return (await response.json()) as Answer;
}

/** Words of three letters or more from the taglines of random pages of the directory. */
async function wordsOf(tree: Tree, count: number, random: () => number): Promise<string[]> {
  const { handler } = await visit(tree);
  const { pagination } = await ask(handler, "sites?limit=50&sort=host");
  const words: string[] = [];
  while (words.length < count) {
    const page = 1 + Math.floor(random() * pagination.totalPages);
    const { data } = await ask(handler, `sites?limit=50&sort=host&page=${page}`);
    const { tagline } = itemAt(data, Math.floor(random() * data.length));
    const found = `${tagline ?? ""}`.match(/[\p{L}\p{N}][\p{L}\p{N}+.-]{2,}/gu) ?? [];
    if (found.length > 0) words.push(found[Math.floor(random() * found.length)] ?? "");
  }
  return words;
}

const stores = options.store
  ? [options.store]
  : options.listings.split(",").map((listings) => storeOf(Number(listings)));
const rows: string[][] = [];
for (const store of stores) {
  const first: Cost[] = [];
  const facets: number[] = [];
  const found: number[] = [];
  const tree = await treeOf(store);
  const words = await wordsOf(tree, Number(options.texts), seeded(SEED));
  for (const word of words) {
    const { handler, cost } = await visit(tree);
    const query = `q=${encodeURIComponent(word)}`;
    const { pagination } = await ask(handler, `sites?${query}&limit=24`);
    found.push(pagination.total);
    first.push(cost());
    await ask(handler, `sites/facets?${query}&include=scores`);
    facets.push(cost().bytes - (first.at(-1)?.bytes ?? 0));
  }
  const { handler, cost } = await visit(tree);
  const { pagination } = await ask(handler, "sites?limit=24");
  const bytes = first.map((one) => one.bytes / 1_000);
  const bar = barOf(pagination.total);
  if (median(bytes) > bar.median || Math.max(...bytes) > bar.worst) process.exitCode = 1;
  rows.push([
    `${pagination.total} listings`,
    ...[median(bytes), percentile(bytes, 0.9), Math.max(...bytes)].map(figure),
    `${bar.median}, ${bar.worst}`,
    figure(cost().bytes / 1_000),
    figure(median(facets) / 1_000),
    `${median(first.map(({ requests }) => requests))}`,
    `${median(found)}`,
  ]);
  const worst = bytes.indexOf(Math.max(...bytes));
  note(`${pagination.total} listings measured; worst: ${words[worst]}, ${found[worst]} listings`);
}
const head = [
  "kB to the first rows",
  "median",
  "90 %",
  "worst",
  "bars",
  "without a text",
  "facets after them",
];
report("search in a tree", [table([...head, "requests", "listings found"], rows)], options.print);
