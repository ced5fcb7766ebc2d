import { hostHash } from "../../contract/host.js";
import {
  categorySitemap,
  type SitemapEntry,
  sitemapCount,
  sitemapFiles,
  sitemapIndex,
  sitemapNames,
  sitemapOf,
} from "../../pages/feeds/sitemap.js";
import { CATEGORY_SITEMAP, sitemapNamed } from "../../pages/kit/page-names.js";
import { categoryAddresses } from "./categories.js";
import type { SnapshotView } from "./content.js";
import { eachScored, IN_A_ROW } from "./page-facts.js";

/** The parts of a snapshot from which its sitemaps are made. */
type SitemapSource = Pick<SnapshotView, "engine" | "directory" | "listingCount" | "pause">;

/** The sitemaps of one snapshot, made on request: a directory may have a million listings. */
export class Sitemaps {
  readonly #source: SitemapSource;
  #numbers: Promise<Uint32Array[]> | null = null;

  constructor(source: SitemapSource) {
    this.#source = source;
  }

  /** The names of all sitemap files. */
  async names(): Promise<string[]> {
    const numbers = await this.#bySitemap();
    const names = numbers.flatMap(({ length }, sitemap) =>
      sitemapNames(sitemap, length, this.#source.directory),
    );
    if ((await this.#categories()).length > 0) names.push(CATEGORY_SITEMAP);
    return names;
  }

  async index(): Promise<string> {
    return sitemapIndex(await this.names(), this.#source.directory);
  }

  /** Returns the text of a sitemap file by its name; null if there is no such file. */
  async file(name: string): Promise<string | null> {
    if (name === CATEGORY_SITEMAP) {
      const addresses = await this.#categories();
      return addresses.length === 0 ? null : categorySitemap(addresses, this.#source.directory);
    }
    const named = sitemapNamed(name);
    if (named === null || named.sitemap >= sitemapCount(this.#source.listingCount)) return null;
    return (await this.#filesOf(named.sitemap))[named.file] ?? null;
  }

  async #categories(): Promise<string[]> {
    return categoryAddresses(await this.#source.engine);
  }

  async #filesOf(sitemap: number): Promise<string[]> {
    const numbers = (await this.#bySitemap())[sitemap] ?? new Uint32Array();
    const engine = await this.#source.engine;
    const entries: SitemapEntry[] = [];
    for (let from = 0; from < numbers.length; from += IN_A_ROW) {
      const some = numbers.subarray(from, from + IN_A_ROW);
      const [hosts, dates] = await Promise.all([engine.hostsOf(some), engine.scannedAt(some)]);
      for (const [at, host] of hosts.entries()) entries.push({ host, lastmod: dates[at] ?? null });
      await this.#source.pause();
    }
    return sitemapFiles(sitemap, entries, this.#source.directory);
  }

  /** The numbers of the listings that have a score, grouped by sitemap. */
  #bySitemap(): Promise<Uint32Array[]> {
    this.#numbers ??= this.#assign();
    return this.#numbers;
  }

  async #assign(): Promise<Uint32Array[]> {
    const count = sitemapCount(this.#source.listingCount);
    const numbers: number[][] = Array.from({ length: count }, () => []);
    await eachScored(this.#source, (host, number) => {
      numbers[sitemapOf(hostHash(host), count)]!.push(number);
    });
    return numbers.map((some) => Uint32Array.from(some));
  }
}
