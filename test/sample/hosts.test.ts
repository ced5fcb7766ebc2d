import { describe, expect, it } from "vitest";
import { isCanonicalHost } from "../../src/contract/host.js";
import NAMES from "./generator/data/names.json" with { type: "json" };
import { sampleIdentity } from "./generator/identity.js";
import { Random } from "./generator/random.js";

const FIRST_WORDS = NAMES.first.flatMap((line) => line.split(" "));
const SECOND_WORDS = Object.values(NAMES.topics).flatMap(({ words }) => words.split(" "));
const PAIRS = FIRST_WORDS.length * SECOND_WORDS.length;

const hostAt = (seed: number, index: number) =>
  sampleIdentity(seed, index, new Random(seed, index)).host;

/** Reserved by RFC 2606, and by IANA for tests of internationalised names; nobody can register them. */
const RESERVED = ["example", "испытание", "测试", "テスト", "테스트", "إختبار", "δοκιμή"];

describe("hosts are unique without a list of used hosts", () => {
  it("there are enough words for 100,000 listings, all of letters", () => {
    expect(PAIRS).toBeGreaterThan(100_000);
    for (const word of [...FIRST_WORDS, ...SECOND_WORDS]) expect(word).toMatch(/^[a-z]+$/);
  });

  it("no two pairs of words give the same host, so a host identifies its pair", () => {
    const joined = FIRST_WORDS.flatMap((first) => SECOND_WORDS.map((second) => first + second));
    expect(new Set(joined).size).toBe(PAIRS);
  });

  it("no two pairs of any other language give the same host, and each has a letter beyond ASCII", () => {
    const joined = NAMES.languages.flatMap(({ first, second, joint }) =>
      first.split(" ").flatMap((one) => second.split(" ").map((other) => one + joint + other)),
    );
    expect(new Set(joined.map((label) => label.replace("-", ""))).size).toBe(joined.length);
    for (const label of joined) expect(label).toMatch(/[^ -~]/);
  });

  it("30,000 listings in a row have 30,000 hosts, all canonical (contract section 4)", () => {
    const hosts = Array.from({ length: 30_000 }, (_, index) => hostAt(1, index));
    expect(new Set(hosts).size).toBe(hosts.length);
    expect(hosts.filter((host) => !isCanonicalHost(host))).toEqual([]);
  });

  it("when all pairs are used up, a number is appended, and rounds share no host", () => {
    const starts = [0, 1, 2, 9].map((round) => round * PAIRS);
    const hosts = starts.flatMap((start) =>
      Array.from({ length: 5_000 }, (_, index) => hostAt(1, start + index)),
    );
    expect(new Set(hosts).size).toBe(hosts.length);
    expect(hosts.filter((host) => !isCanonicalHost(host))).toEqual([]);
    const english = hosts.filter((host) => !host.includes("xn--"));
    const numbered = english.filter((host) => /\d\.example$/.test(host));
    expect(numbered.length).toBeGreaterThan(english.length * 0.7);
    expect(numbered.some((host) => /[a-z]2\./.test(host))).toBe(true);
    expect(numbered.some((host) => /[a-z]10\./.test(host))).toBe(true);
  });

  it("all lie in reserved domains, so no invented finding is about a real site", () => {
    const domains = RESERVED.map((name) => new URL(`http://${name}`).hostname);
    const found = Array.from({ length: 3_000 }, (_, index) => hostAt(1, index).split(".").at(-1));
    expect([...new Set(found)].sort()).toEqual(domains.sort());
  });

  it("another seed uses the pairs in another order", () => {
    const hosts = (seed: number) => Array.from({ length: 50 }, (_, index) => hostAt(seed, index));
    expect(hosts(2).filter((host) => hosts(1).includes(host)).length).toBeLessThan(3);
  });
});
