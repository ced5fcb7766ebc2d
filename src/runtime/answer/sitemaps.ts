import type { Engine } from "../../engine/engine.js";
import {
  type SitemapEntry,
  sitemapCount,
  sitemapFiles,
  sitemapIndex,
  sitemapNamed,
  sitemapNames,
  sitemapOf,
} from "../../pages/feeds/sitemap.js";
import type { PageContext } from "../../pages/report/reading.js";

/** What a snapshot's sitemaps are made from. */
export interface SitemapSource {
  readonly engine: Engine;
  readonly directory: PageContext;
  /** How many buckets the store has. */
  readonly buckets: number;
  bucketOf(host: string): number;
  /** Lets other requests have their turn. */
  pause(): Promise<void>;
}

/** Listings that are looked at before other requests have their turn. */
const IN_A_ROW = 2_000;
/** Sitemaps of which the files are remembered: each may have megabytes. */
const REMEMBERED_MAX = 4;

/** The sitemaps of one snapshot, made as they are asked for: a directory may have a million listings. */
export class Sitemaps {
  readonly #source: SitemapSource;
  #numbers: Promise<Uint32Array[]> | null = null;
  readonly #files = new Map<number, Promise<string[]>>();

  constructor(source: SitemapSource) {
    this.#source = source;
  }

  async index(): Promise<string> {
    const numbers = await this.#bySitemap();
    const names = numbers.flatMap(({ length }, sitemap) => sitemapNames(sitemap, length));
    return sitemapIndex(names, this.#source.directory);
  }

  /** A file of a sitemap by its name; null where there is none. */
  async file(name: string): Promise<string | null> {
    const named = sitemapNamed(name);
    if (named === null || named.sitemap >= sitemapCount(this.#source.buckets)) return null;
    return (await this.#filesOf(named.sitemap))[named.file] ?? null;
  }

  #filesOf(sitemap: number): Promise<string[]> {
    const known = this.#files.get(sitemap);
    if (known !== undefined) return known;
    const made = this.#make(sitemap);
    this.#files.set(sitemap, made);
    const [oldest] = this.#files.keys();
    if (this.#files.size > REMEMBERED_MAX && oldest !== undefined) this.#files.delete(oldest);
    return made;
  }

  async #make(sitemap: number): Promise<string[]> {
    const numbers = (await this.#bySitemap())[sitemap] ?? new Uint32Array();
    const entries: SitemapEntry[] = [];
    for (const number of numbers) {
      entries.push(entryOf(this.#source.engine.ownSummary(number)));
      if (entries.length % IN_A_ROW === 0) await this.#source.pause();
    }
    return sitemapFiles(sitemap, entries, this.#source.directory);
  }

  /** The numbers of the listings that have a score, by their sitemap. */
  #bySitemap(): Promise<Uint32Array[]> {
    this.#numbers ??= this.#assign();
    return this.#numbers;
  }

  async #assign(): Promise<Uint32Array[]> {
    const { engine, buckets, bucketOf, pause } = this.#source;
    const numbers: number[][] = Array.from({ length: sitemapCount(buckets) }, () => []);
    for (let number = 0; number < engine.scored; number += 1) {
      numbers[sitemapOf(bucketOf(entryOf(engine.ownSummary(number)).host))]!.push(number);
      if (number % IN_A_ROW === 0) await pause();
    }
    return numbers.map((some) => Uint32Array.from(some));
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("latin1");
const HOST = encoder.encode('"host":"');
const LASTMOD = encoder.encode('"latestScannedAt":"');
const QUOTE = 0x22;

/** A summary's host and date, which are plain letters: reading all of its JSON would take ten times as long. */
function entryOf(json: Uint8Array): SitemapEntry {
  return { host: textAfter(json, HOST) ?? "", lastmod: textAfter(json, LASTMOD) };
}

/** The text that follows a key. No text in JSON holds a key's bytes: a quote in it has a backslash before it. */
function textAfter(json: Uint8Array, key: Uint8Array): string | null {
  for (let at = json.indexOf(QUOTE); at >= 0; at = json.indexOf(QUOTE, at + 1)) {
    if (!key.every((byte, place) => json[at + place] === byte)) continue;
    const from = at + key.length;
    return decoder.decode(json.subarray(from, json.indexOf(QUOTE, from)));
  }
  return null;
}
