import type { SearchSource } from "../../answer/search-source.js";
import { FACET_FILTERS, FILTER_NAMES, type FilterName } from "../../contract/filters.js";
import { LIMITS } from "../../contract/limits.js";
import { foldText } from "../../contract/order.js";
import type { ListingFilters, SearchQuery } from "../../contract/query.js";
import type {
  CountedFacets,
  DatedHost,
  Engine,
  Found,
  FoundPage,
  ScoreRubric,
  StoredSummary,
} from "../../engine/answering.js";
import { correctLater, type WordTree } from "../../engine/corrections.js";
import { FacetCounter } from "../../engine/facets.js";
import { setOfNumbers, takePage, type Workspace } from "../../engine/sets.js";
import { type Candidates, type Fields, select } from "../../engine/text.js";
import type { Numbering } from "./numbering.js";
import type { ListingRow } from "./rows.js";
import type { SearchTexts } from "./search-texts.js";
import type { SlotOrders } from "./slot-orders.js";
import type { SlotRows } from "./slot-rows.js";

/** The files of a snapshot, opened. */
export interface OpenFiles {
  /** As far as the best listings tell: the order of the others, which come after them, is not known. */
  readonly first: Numbering;
  /** The number of listings of which `first` knows the order; null for all. */
  readonly known: number | null;
  /** Loads the scores of all listings. */
  readonly all: () => Promise<Numbering>;
  readonly texts: SearchTexts;
  readonly rows: SlotRows;
  /** Loads the words of corrections. */
  readonly words: () => Promise<WordTree>;
}

const NO_UNITS = new Uint16Array();

/** Texts that corrections look up together: each may need a shard. */
const TOGETHER = 2;

/** Listings of a part of an answer about many. */
const PART = 2_000;

/** Answers from the files of this extra, each of which is loaded before the first answer that needs it. */
export class FilesEngine implements Engine {
  readonly size: number;
  readonly #files: OpenFiles;
  readonly #source: SearchSource;
  #facets: FacetCounter | null = null;
  /** What the text of the request finds that is being counted. */
  #counted: Candidates = { piece: NO_UNITS, sets: [], check: undefined };

  constructor(files: OpenFiles, source: SearchSource) {
    this.size = files.first.orders.ranking.size;
    this.#files = files;
    this.#source = source;
  }

  async search(query: SearchQuery): Promise<FoundPage> {
    const { q } = query;
    const { slots, total } = await this.#page(query);
    const isUnknown = q !== undefined && total === 0 && !(await this.#hasAny(q, "all"));
    const didYouMean = isUnknown ? await this.#corrections(q, "all") : null;
    return { summaries: await this.#summaries(slots), total, didYouMean };
  }

  async suggest(q: string, corrects = true): Promise<Found> {
    const slots = await this.#suggested(foldText(q));
    const isUnknown = corrects && slots.length === 0;
    const didYouMean = isUnknown ? await this.#corrections(q, "titles") : null;
    return { summaries: await this.#summaries(slots), didYouMean };
  }

  async facets(query: ListingFilters, rubric: ScoreRubric | null = null): Promise<CountedFacets> {
    const { values, orders, space, filters } = await this.#files.all();
    const scores = rubric === null ? [] : (["band", "scoreVersion"] as const);
    const [text] = await Promise.all([
      this.#numbersWith(query.q, orders),
      values.need([...FACET_FILTERS, ...givenFilters(query), ...scores]),
    ]);
    this.#facets ??= new FacetCounter(
      space,
      filters,
      orders.ranking.orders,
      { candidates: () => this.#counted },
      this.#source.vocabulary,
    );
    space.clear();
    if (text !== undefined) this.#counted = candidates(space, text);
    return this.#facets.count(query, rubric);
  }

  async summariesOf(hosts: readonly string[]): Promise<(StoredSummary | undefined)[]> {
    const rows = await this.#rowsOf(hosts);
    return hosts.map((host) => rows.get(host)?.summary);
  }

  async exemptOf(hosts: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.#rowsOf(hosts);
    return new Map(hosts.map((host) => [host, rows.get(host)?.exempt ?? []]));
  }

  async hostsFound(query: ListingFilters): Promise<readonly string[]> {
    const { slots } = await this.#page({ ...query, sort: "host", page: 1, limit: this.size });
    return this.#hostsOf(slots);
  }

  async *scoredHosts(): AsyncGenerator<readonly string[]> {
    const { orders } = await this.#files.all();
    const length = orders.ranking.orders.atLeast[0] ?? 0;
    const numbers = Uint32Array.from({ length }, (_, number) => number);
    const hosts = await this.#hostsOf(orders.slotsOf(numbers));
    for (let from = 0; from < hosts.length; from += PART) yield hosts.slice(from, from + PART);
  }

  async *datedHosts(numbers: Uint32Array): AsyncGenerator<readonly DatedHost[]> {
    yield* (await this.#source.whole()).datedHosts(numbers);
  }

  async *allSummaries(): AsyncGenerator<readonly StoredSummary[]> {
    yield* (await this.#source.whole()).allSummaries();
  }

  /** The slots of a page, in its order. */
  async #page(query: SearchQuery): Promise<SlotPage> {
    const { first, known, all } = this.#files;
    const needsScores = query.minScore !== undefined || query.maxScore !== undefined;
    if (!needsScores && query.sort !== "score-asc") {
      const { numbers, ...page } = await this.#pageIn(first, query);
      const isKnown = known === null || numbers.every((number) => number < known);
      if (isKnown || query.sort !== "score") return page;
    }
    return this.#pageIn(await all(), query);
  }

  async #pageIn(
    { orders, values, space, filters, needRecent }: Numbering,
    query: SearchQuery,
  ): Promise<SlotPage & { readonly numbers: Uint32Array }> {
    const { q, sort, page, limit } = query;
    const [text] = await Promise.all([
      this.#numbersWith(q, orders),
      values.need(givenFilters(query)),
      sort === "recent" ? needRecent() : null,
    ]);
    space.clear();
    const found = select(
      space,
      filters.setsOf(FILTER_NAMES, query),
      filters.scores(query),
      text && candidates(space, text),
    );
    const order = sort === "score" ? undefined : orders.ranking.orders[sort];
    const numbers = takePage(space, found, order, (page - 1) * limit, limit);
    return { numbers, slots: orders.slotsOf(numbers), total: found.count };
  }

  /** The numbers of the listings that contain a text, ascending. */
  async #numbersWith(q: string | undefined, orders: SlotOrders): Promise<Uint32Array | undefined> {
    if (q === undefined) return undefined;
    return orders.sorted(await this.#files.texts.holding(foldText(q), "all"), orders.numbers);
  }

  /** The slots of suggestions, the best first. @param text folded */
  async #suggested(text: string): Promise<Uint32Array> {
    const { texts, first } = this.#files;
    const { orders } = first;
    const ranks = new Set<number>();
    for (const set of await texts.suggested(text)) {
      for (const rank of orders.sorted(set, orders.ranks)) {
        if (ranks.size < LIMITS.suggestionsMax) ranks.add(rank);
      }
    }
    return Uint32Array.from(ranks, (rank) => orders.slots[rank] ?? 0);
  }

  async #corrections(q: string, fields: Fields): Promise<string[]> {
    const words = await this.#files.words();
    const haveAny = (texts: readonly string[]) =>
      Promise.all(texts.map((text) => this.#hasAny(text, fields)));
    // Each word is in some listing, but perhaps only in its tagline. Folding may change a folded text again.
    const isHeld = (text: string) => fields === "all" && words.has(text) && foldText(text) === text;
    return correctLater(q, words, haveAny, isHeld, TOGETHER);
  }

  async #hasAny(text: string, fields: Fields): Promise<boolean> {
    return (await this.#files.texts.holding(foldText(text), fields)).some((word) => word !== 0);
  }

  async #summaries(slots: Uint32Array): Promise<StoredSummary[]> {
    return (await this.#files.rows.of(slots)).map(({ summary }) => summary);
  }

  /** The rows of hosts that are in search. */
  async #rowsOf(hosts: readonly string[]): Promise<ReadonlyMap<string, ListingRow>> {
    const { rows } = this.#files;
    const slots = await rows.slotsOf(hosts);
    const found = await rows.of(slots.filter((slot) => slot !== undefined));
    return new Map(found.map((row) => [row.host, row]));
  }

  async #hostsOf(slots: Uint32Array): Promise<string[]> {
    const hosts = new Map<number, string>();
    await this.#files.rows.each([...slots.toSorted()], (slot, { host }) => hosts.set(slot, host));
    return Array.from(slots, (slot) => hosts.get(slot) ?? "");
  }
}

/** A page of slots, in its order. */
interface SlotPage {
  readonly slots: Uint32Array;
  readonly total: number;
}

function candidates(space: Workspace, numbers: Uint32Array): Candidates {
  return { piece: NO_UNITS, sets: [setOfNumbers(space, numbers)], check: undefined };
}

function givenFilters(query: ListingFilters): FilterName[] {
  return FILTER_NAMES.filter((name) => query[name] !== undefined);
}
