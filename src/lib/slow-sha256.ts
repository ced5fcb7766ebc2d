/** The constants of SHA-256 are the first 32 bits of the fractions of roots of the first primes (FIPS 180-4). */
const PRIMES = primes(64);
const ROUNDS = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const START = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n += 1) {
    if (found.every((prime) => n % prime !== 0)) found.push(n);
  }
  return found;
}

function fraction(root: number): number {
  return (root % 1) * 2 ** 32;
}

/** The SHA-256 of bytes. Browsers have a faster one, but not for pages that were loaded without TLS. */
export function slowSha256(bytes: Uint8Array): Uint8Array {
  const { length } = bytes;
  const padded = new Uint8Array(Math.ceil((length + 9) / 64) * 64);
  padded.set(bytes);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(length) * 8n);
  const state = START.slice();
  const words = new DataView(new ArrayBuffer(4 * ROUNDS.length));
  for (let start = 0; start < padded.length; start += 64) {
    spread(words, padded.subarray(start, start + 64));
    mixBlock(state, words);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [place, word] of state.entries()) digest.setUint32(4 * place, word);
  return new Uint8Array(digest.buffer);
}

/** Makes the words of all rounds from a block of 64 bytes. */
function spread(words: DataView, block: Uint8Array): void {
  const word = (i: number) => words.getUint32(4 * i);
  for (const [i, byte] of block.entries()) words.setUint8(i, byte);
  for (let i = 16; i < ROUNDS.length; i += 1) {
    const a = word(i - 15);
    const b = word(i - 2);
    const small = turned(a, 7) ^ turned(a, 18) ^ (a >>> 3);
    const large = turned(b, 17) ^ turned(b, 19) ^ (b >>> 10);
    words.setUint32(4 * i, word(i - 16) + small + word(i - 7) + large);
  }
}

function mixBlock(state: Uint32Array, words: DataView): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (const [i, round] of ROUNDS.entries()) {
    const large = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const chosen = (e & f) ^ (~e & g);
    const first = (h + large + chosen + round + words.getUint32(4 * i)) | 0;
    const small = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + small + majority) | 0];
  }
  const added = [a, b, c, d, e, f, g, h];
  state.set(state.map((word, i) => word + (added[i] ?? 0)));
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
