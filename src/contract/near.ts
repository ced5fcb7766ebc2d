import { byCodeUnit } from "./order.js";

/* Finds names that a mistyped text may have meant, for messages. */

/** How many names a message proposes. */
const NEAR_MAX = 3;
/** The most characters in which a mistyped name differs. */
const EDITS_MAX = 3;
/** Longer texts and names are near nothing: comparing them takes time, and a message would be long. */
const COMPARED_MAX = 100;

/**
 * The names that a text may have meant, the nearest first, then by code unit: at most three. Case, spaces, hyphens and
 * underscores do not count. A name that contains the text, or that the text contains, is near as well.
 */
export function nearNames(text: string, names: Iterable<string>): string[] {
  if (text.length > COMPARED_MAX) return [];
  const wanted = folded(text);
  const bound = Math.max(1, Math.min(EDITS_MAX, Math.floor(wanted.length / 2)));
  const found: { readonly name: string; readonly distance: number }[] = [];
  for (const name of names) {
    if (name.length > COMPARED_MAX) continue;
    const other = folded(name);
    const distance = isPart(wanted, other) ? 1 : editDistance(wanted, other, bound);
    if (distance <= bound) found.push({ name, distance });
  }
  found.sort((a, b) => a.distance - b.distance || byCodeUnit(a.name, b.name));
  return found.slice(0, NEAR_MAX).map(({ name }) => name);
}

function folded(text: string): string {
  return text.toLowerCase().replace(/[-_\s]/g, "");
}

/** Whether one of two texts contains the other. Nearly every name contains one or two given letters. */
function isPart(a: string, b: string): boolean {
  return Math.min(a.length, b.length) > 2 && (a.includes(b) || b.includes(a));
}

/** The Levenshtein distance. Stops early and returns `bound + 1` once the distance must exceed `bound`. */
export function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) > bound) return bound + 1;
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = row[j - 1]! + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1);
      const distance = Math.min(replaced, row[j]! + 1, next[j - 1]! + 1);
      next.push(distance);
      least = Math.min(least, distance);
    }
    if (least > bound) return bound + 1;
    row = next;
  }
  return row[b.length]!;
}
