/*
 * Edit distances of words that differ little: what is equal at both ends is skipped, and what is left of
 * two words within two edits is decided by trying each edit at the first difference. No table is filled.
 */

/**
 * Code units to insert, delete and replace to make a word of the units from `start` to before `end`;
 * `most` + 1 where they are more than `most`.
 */
export function editDistance(
  units: Uint16Array,
  start: number,
  end: number,
  word: Uint16Array,
  most: number,
): number {
  if (Math.abs(end - start - word.length) > most) return most + 1;
  const shorter = Math.min(end - start, word.length);
  let head = 0;
  while (head < shorter && units[start + head] === word[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && units[end - 1 - tail] === word[word.length - 1 - tail]) tail += 1;
  // What is left differs at both ends: one unit is one edit, more units are two at the least.
  const left = Math.max(end - start, word.length) - head - tail;
  if (left < 2) return left;
  for (let edits = 2; edits <= most; edits += 1) {
    if (isWithin(units, start + head, end - tail, word, head, word.length - tail, edits)) {
      return edits;
    }
  }
  return most + 1;
}

function isWithin(
  units: Uint16Array,
  start: number,
  end: number,
  word: Uint16Array,
  wordStart: number,
  wordEnd: number,
  edits: number,
): boolean {
  let [at, other] = [start, wordStart];
  while (at < end && other < wordEnd && units[at] === word[other]) {
    at += 1;
    other += 1;
  }
  const surplus = end - at - (wordEnd - other);
  if (at === end || other === wordEnd) return Math.abs(surplus) <= edits;
  if (edits === 0 || Math.abs(surplus) > edits) return false;
  return (
    isWithin(units, at + 1, end, word, other + 1, wordEnd, edits - 1) ||
    isWithin(units, at + 1, end, word, other, wordEnd, edits - 1) ||
    isWithin(units, at, end, word, other + 1, wordEnd, edits - 1)
  );
}
