import { firstWhere } from "../../contract/order.js";
import { BLOCK_ROWS, GUIDED_BLOCKS, type SearchDelta, type SearchHead } from "./format.js";
import type { PieceReader } from "./piece-reader.js";
import { badRow, type ListingRow } from "./rows.js";

/** Blocks that are read to find a host in them, once its guide is known. */
const STEP = 8;
/** Slots whose rows are in memory at the same time, at most: 16 MB. */
const GROUP = 1_024 * BLOCK_ROWS;

type Blocks = PieceReader<ListingRow[]>;

/** Where a row is. */
interface RowPlace {
  readonly isNews: boolean;
  readonly block: number;
  readonly row: number;
}

/** Reads the rows of slots. Its methods throw BadSnapshotError. */
export class SlotRows {
  readonly #slots: number;
  readonly #guides: readonly string[];
  readonly #blocks: number;
  readonly #base: Blocks;
  readonly #news: Blocks;
  /** By slot, the number of its row in the news. */
  readonly #changed: ReadonlyMap<number, number>;
  /** The slots of added listings, by host. */
  readonly #added: ReadonlyMap<string, number>;

  constructor(
    { slots, rows }: SearchHead,
    { changed, added }: SearchDelta,
    { base, news }: { readonly base: Blocks; readonly news: Blocks },
  ) {
    this.#slots = slots;
    this.#guides = rows.guides;
    this.#blocks = rows.sizes.length;
    this.#base = base;
    this.#news = news;
    this.#changed = new Map(changed.map((slot, at) => [slot, at]));
    this.#added = new Map(added.map(({ host }, at) => [host, slots + at]));
  }

  /** The rows of slots, in the same order. */
  async of(slots: Iterable<number>): Promise<ListingRow[]> {
    const places = Array.from(slots, (slot) => this.#placeOf(slot));
    const blocksIn = (news: boolean) =>
      places.filter(({ isNews }) => isNews === news).map(({ block }) => block);
    const [base, news] = await Promise.all([
      this.#base.values(blocksIn(false)),
      this.#news.values(blocksIn(true)),
    ]);
    return places.map(({ isNews, block, row }) => {
      const found = (isNews ? news : base).get(block)?.[row];
      if (found === undefined) throw badRow();
      return found;
    });
  }

  /** Visits the rows of some slots, group by group. @param slots ascending */
  async each(
    slots: readonly number[],
    visit: (slot: number, row: ListingRow) => void,
  ): Promise<void> {
    for (let from = 0; from < slots.length; ) {
      const group = Math.floor((slots[from] ?? 0) / GROUP);
      const to = firstWhere(from, slots.length, (at) => (slots[at] ?? 0) >= (group + 1) * GROUP);
      const some = slots.slice(from, to);
      for (const [at, row] of (await this.of(some)).entries()) visit(some[at] ?? 0, row);
      from = to;
    }
  }

  /** The slots of hosts; undefined for one that is not in search. */
  async slotsOf(hosts: readonly string[]): Promise<(number | undefined)[]> {
    const guided = hosts.map((host) => {
      const after = firstWhere(0, this.#guides.length, (at) => (this.#guides[at] ?? "") > host);
      const from = (after - 1) * GUIDED_BLOCKS;
      const isOutside = from < 0 || this.#added.has(host);
      return isOutside ? [] : this.#blocksFrom(from, GUIDED_BLOCKS, STEP);
    });
    const probes = await this.#base.values(guided.flat());
    const near = guided.map((blocks, at) => {
      const host = hosts[at] ?? "";
      const last = blocks.findLast((block) => isFrom(host, probes.get(block)));
      return last === undefined ? [] : this.#blocksFrom(last, STEP, 1);
    });
    const found = await this.#base.values(near.flat());
    return hosts.map((host, at) => {
      const block = near[at]?.findLast((one) => isFrom(host, found.get(one)));
      const row = found.get(block ?? -1)?.findIndex((one) => one.host === host) ?? -1;
      return block === undefined || row < 0 ? this.#added.get(host) : BLOCK_ROWS * block + row;
    });
  }

  #blocksFrom(first: number, count: number, step: number): number[] {
    const blocks: number[] = [];
    const end = Math.min(first + count, this.#blocks);
    for (let block = first; block < end; block += step) blocks.push(block);
    return blocks;
  }

  #placeOf(slot: number): RowPlace {
    const added = slot < this.#slots ? undefined : this.#changed.size + slot - this.#slots;
    const news = added ?? this.#changed.get(slot);
    const at = news ?? slot;
    const block = Math.floor(at / BLOCK_ROWS);
    return { isNews: news !== undefined, block, row: at % BLOCK_ROWS };
  }
}

/** Whether a block begins with a host, or with one before it. */
function isFrom(host: string, block: readonly ListingRow[] | undefined): boolean {
  const first = block?.[0];
  return first !== undefined && first.host <= host;
}
