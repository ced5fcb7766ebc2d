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
import { madeOnce, type SnapshotView } from "./content.js";
import { eachScored } from "./page-facts.js";

/** The parts of a snapshot from which its sitemaps are made. */
type SitemapSource = Pick<
  SnapshotView,
  "engine" | "directory" | "listingCount" | "pause" | "answering"
>;

/** The sitemaps of one snapshot, made on request: a directory may have a million listings. */
export class Sitemaps {
  readonly #source: SitemapSource;

  constructor(source: SitemapSource) {
    this.#source = source;
  }

  /** The names of all sitemap files. */
  async names(): Promise<string[]> {
    const numbers = await numbersBySitemap(this.#source);
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

  #categories(): Promise<string[]> {
    return categoryAddresses(this.#source);
  }

  async #filesOf(sitemap: number): Promise<string[]> {
    const numbers = (await numbersBySitemap(this.#source))[sitemap] ?? new Uint32Array();
    const engine = await this.#source.engine;
    const entries: SitemapEntry[] = [];
    for await (const some of engine.datedHosts(numbers)) {
      for (const { host, scannedAt } of some) entries.push({ host, lastmod: scannedAt });
      await this.#source.pause();
    }
    return sitemapFiles(sitemap, entries, this.#source.directory);
  }
}

/** The numbers of the listings that have a score, grouped by sitemap. */
const numbersBySitemap = madeOnce(async (source: SitemapSource): Promise<Uint32Array[]> => {
  const count = sitemapCount(source.listingCount);
  const numbers: number[][] = Array.from({ length: count }, () => []);
  await eachScored(source, (host, number) => {
    numbers[sitemapOf(hostHash(host), count)]!.push(number);
  });
  return numbers.map((some) => Uint32Array.from(some));
});
