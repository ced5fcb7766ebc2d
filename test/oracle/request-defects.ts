import { chance, pick, shuffled, whole } from "./random.js";
import type { Pair } from "./request-text.js";

/** Makes valid pairs invalid, in one way. */
type Defect = (random: () => number, pairs: readonly Pair[]) => Pair[];

const unknownNames = [
  "foo",
  "Q",
  "sorts",
  "categories",
  "category[]",
  "page%20",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "scan",
  "host",
  "",
];

const malformed = [..."% %4 %zz a%g1 %ff caf%e9 %c0%af %ed%a0%80 %f4%90%80%80 %e2%82".split(" ")];

const badIntegers = ["", "-1", "+1", "01", "1.0", "1e1", "%201", "1%20", "0x1", "NaN", "%D9%A1"];

const badSlugs = ["", "A", "a_b", "a--b", "-a", "a-", "a%20b", "%C3%A9", "__proto__"];

const outOfRange: Pair[] = [
  ["page", "0"],
  ["page", "10001"],
  ["page", "99999999999999999999"],
  ["limit", "0"],
  ["limit", "101"],
  ["minScore", "101"],
  ["maxScore", "101"],
  ["minScore", "4294967296"],
];

const listNames = ["category", "tag", "platform", "capability", "band"];
const scalarNames = [..."q sort page limit minScore maxScore status scan include".split(" ")];

/** Puts a pair in place of those of its name. */
function instead(pairs: readonly Pair[], pair: Pair): Pair[] {
  return [...pairs.filter(([name]) => name !== pair[0]), pair];
}

/** As many pairs as are too many for a list of issues, or for a query. */
const manyPairs = [19, 20, 21, 30, 95, 101, 150];

const defects: Defect[] = [
  (random, pairs) => {
    const name = pick(random, ["x", ...listNames, "scan"]);
    const isNumbered = chance(random, 0.5);
    const pair = (at: number): Pair => [
      isNumbered ? `${at}${name}` : name,
      pick(random, ["1", "A"]),
    ];
    return [...pairs, ...Array.from({ length: pick(random, manyPairs) }, (_, at) => pair(at))];
  },
  (random, pairs) => [...pairs, [pick(random, unknownNames), pick(random, ["1", "", "%zz"])]],
  (random, pairs) => [...pairs, [pick(random, unknownNames), "1"]],
  (random, pairs) => [...pairs, [`${"n".repeat(whole(random, 47, 51))}%F0%9F%98%80`, "1"]],
  (random, pairs) => [...pairs, [pick(random, [...listNames, ...scalarNames]), ""]],
  (random, pairs) => instead(pairs, [pick(random, scalarNames), pick(random, malformed)]),
  (random, pairs) => [...pairs, [pick(random, listNames), pick(random, malformed)]],
  (random, pairs) => [...pairs, [pick(random, malformed), "1"]],
  (random, pairs) => instead(pairs, pick(random, outOfRange)),
  (random, pairs) =>
    instead(pairs, [
      pick(random, ["page", "limit", "minScore", "maxScore"]),
      pick(random, badIntegers),
    ]),
  (random, pairs) => [...pairs, [pick(random, listNames), pick(random, badSlugs)]],
  (random, pairs) => [...pairs, [pick(random, listNames), "a".repeat(81)]],
  (random, pairs) =>
    instead(pairs, ["q", pick(random, ["", "+", "%20%09", "%EF%BB%BF", "%C2%A0"])]),
  (random, pairs) => instead(pairs, ["q", pick(random, ["a", "%F0%9F%98%80"]).repeat(121)]),
  (random, pairs) => instead(pairs, ["sort", pick(random, ["Score", "name", "score+", "-score"])]),
  (random, pairs) => instead(pairs, ["status", pick(random, ["Claimed", "any", "verified"])]),
  (random, pairs) => {
    const least = whole(random, 1, 100);
    const crossing: Pair = ["maxScore", String(whole(random, 0, least - 1))];
    return instead(instead(pairs, ["minScore", String(least)]), crossing);
  },
  (random, pairs) => {
    const name = pick(random, listNames);
    const many = name === "band" ? 5 : 11;
    return [...pairs, ...Array.from({ length: many }, (): Pair => [name, "open"])];
  },
  (random, pairs) => {
    const name = pick(random, scalarNames);
    const value = pairs.find((pair) => pair[0] === name)?.[1] ?? "1";
    const other = chance(random, 0.5) ? value : "2";
    return [...pairs.filter((pair) => pair[0] !== name), [name, value], [name, other]];
  },
];

/** The pairs with one to three defects, in a random order. Rarely one that the read allows. */
export function damaged(random: () => number, pairs: readonly Pair[]): Pair[] {
  const times = chance(random, 0.7) ? 1 : whole(random, 2, 3);
  let broken = [...pairs];
  for (let time = 0; time < times; time++) broken = pick(random, defects)(random, broken);
  return shuffled(random, broken);
}

const nonCanonical: ((random: () => number, host: string) => string)[] = [
  (_, host) => host.toUpperCase(),
  (_, host) => host.replace(/[a-z]/, (letter) => letter.toUpperCase()),
  (_, host) => `www.${host}`,
  (_, host) => `${host}.`,
  (_, host) => `.${host}`,
  (random, host) => `${host}${pick(random, [":443", "%3A80", ":"])}`,
  (random, host) => `${pick(random, ["https:%2F%2F", "%20", "%00", "user@"])}${host}`,
  (random, host) =>
    `${host}${pick(random, ["%20", "+", "%00", "%2F", "%2Fx", "%3Fx", "%23", "%5C"])}`,
  (_, host) => host.replace(".", ".."),
  (_, host) => host.replace(".", "_."),
  (_, host) => host.replace(".", "-."),
  (_, host) => `-${host}`,
  (_, host) => host.replace(".", "%252e"),
  (_, host) => `${host}%`,
  (_, host) => host.replace(".", "%zz"),
  (_, host) => `%ff${host}`,
  // 254 characters, one more than a host may have.
  () => `${`${"a".repeat(61)}.`.repeat(4)}abcdef`,
  (_, host) => `${"a".repeat(64)}.${host}`,
  (random) =>
    pick(random, [
      ..."127.0.0.1 0x7f.1 1.2.3 %5B%3A%3A1%5D localhost com __proto__ constructor".split(" "),
      ..."suggestions xn--a.com m%C3%BCnchen.de %D0%B0pple.com a%E3%80%82com".split(" "),
      ..."example.c example.1".split(" "),
    ]),
];

/** A path segment that is no canonical host, mostly a real one spoilt; encoded as it is sent. */
export function spoiltHost(random: () => number, host: string): string {
  return pick(random, nonCanonical)(random, host);
}
