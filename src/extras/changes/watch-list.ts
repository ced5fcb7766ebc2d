import { meantHost } from "../../contract/host.js";
import { byCodeUnit } from "../../contract/order.js";

/* Apart from the page, as an edge worker loads this part at its start. */

/** The name and the address of the page. */
export const WATCH = "watch";

/** The most texts of a query that are read. */
const TEXTS_MAX = 200;

/** What a query asks to watch. */
export interface WatchedTexts {
  /** Canonical hosts in order, each once. They may be more than `watchMax`. */
  readonly hosts: readonly string[];
  /** The texts that cannot be hosts, each once. */
  readonly others: readonly string[];
}

/**
 * Reads the query of the page: `host`, once or several times. One of them may be a pasted list, with commas or spaces
 * between hosts. Any pasted address counts as its host.
 */
export function watchedTexts(query: string): WatchedTexts {
  const texts = new URLSearchParams(query)
    .getAll("host")
    .join(" ")
    .split(/[\s,]+/, TEXTS_MAX)
    .filter((text) => text !== "");
  const meant = texts.map((text) => ({ text, host: meantHost(text) }));
  const hosts = [...new Set(meant.flatMap(({ host }) => host ?? []))].sort(byCodeUnit);
  const others = new Set(meant.flatMap(({ text, host }) => (host === null ? text : [])));
  return { hosts, others: [...others] };
}

/** The query that asks for the same, without `?`. */
export function watchText({ hosts, others }: WatchedTexts): string {
  return [...hosts, ...others].map((text) => `host=${encodeURIComponent(text)}`).join("&");
}
