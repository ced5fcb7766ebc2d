/** Folds a text as the contract's literal matching does, by the words of decisions, Text matching. */
export function fold(text: string): string {
  return text.normalize("NFC").toLowerCase().replaceAll("ς", "σ").normalize("NFC");
}

/** Stands between fields in joined text; no field and no query holds it. */
export const FIELD_END = "\u0000";

/** A listing's text: host, name, tagline; an absent one is "". */
export type Fields = readonly [host: string, name: string, tagline: string];

/** The folded text of many listings, one string, and where each listing's part ends in it. */
export interface JoinedText {
  readonly text: string;
  readonly ends: Uint32Array;
}

/** @param fields of each listing, how many of its fields are joined: 2 leaves out taglines */
export function joinFolded(listings: readonly Fields[], fields: 2 | 3): JoinedText {
  const ends = new Uint32Array(listings.length);
  let end = 0;
  const parts = listings.map((listing, number) => {
    const part = `${listing.slice(0, fields).map(fold).join(FIELD_END)}${FIELD_END}`;
    end += part.length;
    ends[number] = end;
    return part;
  });
  return { text: parts.join(""), ends };
}

/** Listings by every substring of three UTF-16 code units that a field of theirs holds, commonest first. */
export function commonestTrigrams({ text, ends }: JoinedText): string[] {
  const counts = new Map<string, number>();
  let start = 0;
  for (const end of ends) {
    const own = new Set<string>();
    for (let at = start; at + 3 <= end; at += 1) own.add(text.slice(at, at + 3));
    for (const gram of own) counts.set(gram, (counts.get(gram) ?? 0) + 1);
    start = end;
  }
  return [...counts]
    .filter(([gram]) => !gram.includes(FIELD_END) && gram.trim() === gram)
    .sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1))
    .map(([gram]) => gram);
}

/**
 * The bar of the slowest request: marks every listing that holds a piece, by `indexOf` over all text
 * joined; the search goes on where the marked listing ends. @returns how many are marked
 */
export function markHolders({ text, ends }: JoinedText, piece: string, marks: Uint8Array): number {
  let listing = 0;
  let marked = 0;
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, ends[listing])) {
    while (ends[listing]! <= at) listing += 1;
    marks[listing] = 1;
    marked += 1;
  }
  return marked;
}
