import { meantHost } from "../../contract/host.js";
import { COMPARED_MAX } from "../../pages/report/comparison.js";

/* Apart from the comparison, as an edge worker loads this part at its start. */

/** The most texts of a query that are read. */
const TEXTS_MAX = 200;

/** What a query asks to compare. */
export interface ComparedTexts {
  /** Canonical hosts, each once: at most COMPARED_MAX. */
  readonly hosts: readonly string[];
  /** The texts that cannot be hosts, each once, with their indexes among all texts. */
  readonly others: ReadonlyMap<string, number>;
}

/**
 * Reads the query of the page that compares sites: `sites`, once or several times, with commas or spaces between
 * hosts. Any pasted address counts as its host. Hosts beyond COMPARED_MAX are left out.
 */
export function comparedTexts(query: string | URLSearchParams): ComparedTexts {
  const texts = new URLSearchParams(query)
    .getAll("sites")
    .join(",")
    .split(/[\s,]+/, TEXTS_MAX)
    .filter((text) => text !== "");
  const hosts = new Set<string>();
  const others = new Map<string, number>();
  for (const [index, text] of texts.entries()) {
    const host = meantHost(text);
    if (host !== null) hosts.add(host);
    else if (!others.has(text)) others.set(text, index);
  }
  return { hosts: [...hosts].slice(0, COMPARED_MAX), others };
}

/** The query that compares these texts, without its `?`; "" for none. */
export function comparedQuery(texts: readonly string[]): string {
  return texts.length === 0 ? "" : `sites=${texts.map(encodeURIComponent).join(",")}`;
}
