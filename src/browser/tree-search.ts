import { type Reads, readsOf } from "../client/reads.js";
import { askOf } from "../client/request.js";
import type { FacetScores } from "../contract/listing.js";
import { foldText } from "../contract/order.js";
import {
  type FoundSites,
  firstSites,
  type SearchReads,
  searchSites,
} from "../pages/explorer/best-match.js";
import type { Counts, Directory } from "../pages/explorer/facets.js";
import type { Listed } from "../pages/explorer/results-view.js";
import { facetsOf, type SearchState, textOf } from "../pages/explorer/search-state.js";
import { levelOf, visible } from "../pages/kit/words.js";
import type { Proposal } from "./combobox.js";
import { takeEarly } from "./early-worker.js";
import { fetchFile, IN_TREE, isComputed, ROOT, SEARCH_SCRIPT } from "./tree.js";

/** A read that a page asks its worker for. */
export interface WorkerRead {
  readonly id: number;
  /** Relative to the root. */
  readonly address: string;
  readonly headers: Record<string, string>;
}

/** The worker's answer. */
export interface WorkerAnswer {
  readonly id: number;
  readonly status: number;
  readonly headers: [string, string][];
  readonly body: ArrayBuffer;
}

/** Statuses whose responses cannot have a body. */
const NO_BODY = [204, 304];

/** Reads that the worker answers at the same time: what a page of sites needs. */
const READS = 6;

/** The worker that searches in a tree. It starts at the first read. */
class SearchWorker {
  readonly #open = new Map<number, (given: WorkerAnswer | Error) => void>();
  /** Reads that wait until the worker has answered others. Those that are aborted here are never sent. */
  #waiting: WorkerRead[] = [];
  /** Reads that the worker is answering. */
  #asked = 0;
  #worker: Worker | null = null;
  #last = 0;

  /** Rejects if the worker's script cannot be loaded, or with the signal's reason. */
  ask(address: string, { headers, signal }: RequestInit): Promise<Response> {
    this.#last += 1;
    const asked: WorkerRead = { id: this.#last, address, headers: headersIn(headers) };
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      signal?.addEventListener("abort", () => {
        this.#open.delete(asked.id);
        reject(signal.reason);
      });
      this.#open.set(asked.id, (given) => {
        if (given instanceof Error) reject(given);
        else resolve(responseOf(given));
      });
      this.#waiting.push(asked);
      this.#askNext();
    });
  }

  #askNext(): void {
    this.#waiting = this.#waiting.filter(({ id }) => this.#open.has(id));
    for (const asked of this.#waiting.splice(0, READS - this.#asked)) {
      this.#asked += 1;
      this.#worker ??= this.#start();
      this.#worker.postMessage(asked);
    }
  }

  #start(): Worker {
    const worker = takeEarly() ?? new Worker(SEARCH_SCRIPT ?? "");
    worker.addEventListener("message", ({ data }: MessageEvent<WorkerAnswer>) => {
      this.#open.get(data.id)?.(data);
      this.#open.delete(data.id);
      this.#asked -= 1;
      this.#askNext();
    });
    worker.addEventListener("error", ({ message }) => {
      worker.terminate();
      this.#worker = null;
      this.#asked = 0;
      for (const end of this.#open.values()) end(new Error(message));
      this.#open.clear();
    });
    return worker;
  }
}

function headersIn(headers: RequestInit["headers"]): WorkerRead["headers"] {
  return Object.fromEntries(new Headers(headers));
}

function responseOf({ status, headers, body }: WorkerAnswer): Response {
  return new Response(NO_BODY.includes(status) ? null : body, { status, headers });
}

/** Makes a function like `fetch` for reads of the API. A tree's worker answers those that are not files. */
export function treeFetch(): typeof globalThis.fetch {
  const worker = new SearchWorker();
  return (url, init = {}) => {
    const address = new URL(String(url), ROOT).href.slice(ROOT.length);
    return isComputed(address) ? worker.ask(address, init) : fetchFile(address, init);
  };
}

/** The minimum number of code points for suggestions (docs/contract.md#9-limits). */
const SUGGESTED_FROM = 2;

/** The API beside the page, or a tree's worker. */
export function searchClient(): Reads {
  const fetch = treeFetch();
  // In a tree, nothing is lost on the way to the worker, and readers see that it searches, however long it takes.
  const patience = IN_TREE && { retries: 0, timeoutMs: Number.POSITIVE_INFINITY };
  return readsOf(askOf({ baseUrl: ROOT, fetch, ...patience }));
}

/** Empty scores, in case an older server ignores the request for them. */
const NO_SCORES: FacetScores = { bands: [], unscored: 0, olderScoring: 0, points: [] };

/** The sites that are shown before the others, which are not on the first screen of a phone. */
const FIRST_SITES = 6;

/** A running search. All parts reject with the client's error, or the signal's reason. */
export interface Search {
  /** The first sites of the page; null if the page has few. */
  readonly first: Promise<Listed | null>;
  readonly listed: Promise<Listed>;
  readonly counted: Promise<Counts>;
}

/**
 * Reads everything that a state shows. The sites do not wait for the counts. In a tree, where the files of all parts
 * share the network, the first sites, all sites and the counts are read one after another.
 */
export function search(client: Reads, state: SearchState, signal: AbortSignal): Search {
  const reads: SearchReads = {
    search: (query) => client.sites(query, { signal }),
    suggest: async (q) => {
      const { data } = await client.suggestions({ q, include: "site" }, { signal });
      return data.flatMap(({ site }) => site ?? []);
    },
  };
  const list = async () => listedOf(await searchSites(state, reads));
  const count = () => countSites(client, state, signal);
  if (!IN_TREE) {
    const listed = list();
    return handled({ first: listed.then(firstOf), listed, counted: count() });
  }
  const first = listFirst(state, reads);
  const listed = first.then(list);
  return handled({ first, listed, counted: listed.then(count) });
}

/** Callers await one part after another: this only avoids unhandled rejections of the later ones. */
function handled(search: Search): Search {
  for (const part of Object.values(search)) part.catch(() => {});
  return search;
}

async function listFirst(state: SearchState, reads: SearchReads): Promise<Listed | null> {
  const found = await firstSites(state, FIRST_SITES, reads);
  return found === null ? null : listedOf({ ...found, withAllWords: [] });
}

function firstOf(listed: Listed): Listed | null {
  const { sites } = listed;
  return sites.length > FIRST_SITES ? { ...listed, sites: sites.slice(0, FIRST_SITES) } : null;
}

function listedOf({ data, pagination, didYouMean, withAllWords }: FoundSites): Listed {
  return { sites: data, pagination, didYouMean: didYouMean ?? [], withAllWords };
}

async function countSites(client: Reads, state: SearchState, signal: AbortSignal): Promise<Counts> {
  const { data } = await client.facets(facetsOf(state), { signal });
  return { facets: { ...data, scores: data.scores ?? NO_SCORES } };
}

/**
 * Proposals for a text that is being typed: matching sites or, if there are none, corrections of the text; and last, a
 * search for the text.
 */
export async function propose(
  client: Reads,
  text: string,
  directory: Directory,
  signal: AbortSignal,
): Promise<Proposal[]> {
  const q = textOf(text);
  if ([...q].length < SUGGESTED_FROM) return [];
  const { data, didYouMean = [] } = await client.suggestions({ q, include: "scores" }, { signal });
  const sites = data.map((site): Proposal => {
    const { host, latestScore = null, latestBand = null, latestScoreVersion = null } = site;
    const level = levelOf({ band: latestBand, scoreVersion: latestScoreVersion }, directory);
    return { kind: "site", host, name: visible(site.name), score: latestScore, level };
  });
  const corrections = didYouMean.map(
    (correction): Proposal => ({ kind: "search", text: correction, isCorrection: true }),
  );
  return [
    ...sites,
    ...categoriesOf(q, directory),
    ...corrections,
    { kind: "search", text: q, isCorrection: false },
  ];
}

/** The most categories that are proposed. */
const CATEGORIES_MAX = 2;

/** The categories with a word that begins with a text. */
function categoriesOf(q: string, { choices = {} }: Directory): Proposal[] {
  const sought = foldText(q);
  const isMeant = (label: string) =>
    [label, ...label.split(/[^\p{L}\p{M}\p{N}]+/u)].some((part) =>
      foldText(part).startsWith(sought),
    );
  return (choices.category ?? [])
    .filter(({ label }) => isMeant(label))
    .slice(0, CATEGORIES_MAX)
    .map(({ value, label }) => ({ kind: "category", slug: value, label }));
}
