import { ROUTES } from "../../contract/routes.js";
import type { HostAnswers } from "../format.js";

/*
 * A Merkle tree over the answers of a segment. The manifest names its root, so that it can be proven of a single answer
 * that it belongs to a manifest (docs/signing.md#prove-a-single-answer). Its shape is that of the trees of RFC 9162,
 * section 2.1. A leaf is the sha256 of a line, a node above is the sha256 of the digests of its two children, in hex.
 * Nobody can pass off a node as a leaf, or the reverse: a line has a space, and two digests have none.
 */

/** Resolves to the sha256 of a text's UTF-8, in hex. */
export type TextDigest = (text: string) => Promise<string> | string;

/** The line of an answer. @param address path and query, in their canonical form */
export function answerLine(sha256: string, address: string): string {
  return `${sha256} ${address}`;
}

/** The address of a report or its enrichment. @param scan Default: the latest report */
function answerAddress(name: "report" | "enrichment", host: string, scan?: string): string {
  const path = ROUTES[name].path.replace("{host}", host);
  return scan === undefined ? path : `${path}?scan=${scan}`;
}

/** The lines of all answers about a listing. The latest report has two addresses. */
export function answerLines(listing: HostAnswers): string[] {
  const { host, report, enrichment, publishedScan, historical } = listing;
  return [
    answerLine(report[2], answerAddress("report", host)),
    answerLine(enrichment[2], answerAddress("enrichment", host)),
    ...[{ scan: publishedScan, report }, ...historical].map((one) =>
      answerLine(one.report[2], answerAddress("report", host, one.scan)),
    ),
  ];
}

/** The digests of a tree: those of the leaves, then of each level above, to that of the root. */
export type TreeLevels = readonly (readonly string[])[];

/** Makes the tree of some lines. */
export async function treeLevels(
  lines: readonly string[],
  digestOf: TextDigest,
): Promise<TreeLevels> {
  let level: string[] = [];
  for (const line of lines) level.push(await digestOf(line));
  const levels = [level];
  while (level.length > 1) {
    const above: string[] = [];
    for (let at = 0; at < level.length; at += 2) {
      const pair = level.slice(at, at + 2);
      // The last digest of an odd number goes up as it is.
      above.push(pair.length === 1 ? pair[0]! : await digestOf(pair.join("")));
    }
    levels.push(above);
    level = above;
  }
  return levels;
}

/** What a manifest says of a tree: how many leaves it has, and its root. */
export async function answerTree(
  listings: readonly HostAnswers[],
  digestOf: TextDigest,
): Promise<{ size: number; root: string }> {
  const lines = listings.flatMap(answerLines);
  const levels = await treeLevels(lines, digestOf);
  return { size: lines.length, root: levels.at(-1)?.[0] ?? (await digestOf("")) };
}
