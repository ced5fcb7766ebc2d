import { quote } from "./finding.js";

/** Returns `; did you mean "x"?` with the candidate nearest to a misspelt text, or "" if none is near. */
export function didYouMean(text: string, candidates: Iterable<string>): string {
  const nearest = nearestOf(text, candidates);
  return nearest === null ? "" : `; did you mean ${quote(nearest)}?`;
}

/**
 * The candidate with the least edit distance, the first one if several are equal. Null if none is within
 * two edits or, for longer texts, a third of the text's length.
 */
function nearestOf(text: string, candidates: Iterable<string>): string | null {
  let nearest: string | null = null;
  let limit = Math.max(2, Math.floor(text.length / 3));
  for (const candidate of candidates) {
    // If every character could be replaced, any text would match any other.
    const bound = Math.min(limit, Math.max(text.length, candidate.length) - 1);
    const distance = editDistance(text, candidate, bound);
    if (distance > bound) continue;
    nearest = candidate;
    limit = distance - 1;
    if (limit < 0) break;
  }
  return nearest;
}

/** The Levenshtein distance. Stops early and returns `bound + 1` once the distance must exceed `bound`. */
function editDistance(a: string, b: string, bound: number): number {
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
