import { describe, expect, it } from "vitest";
import {
  canonicalHostOf,
  hostHash,
  isCanonicalHost,
  parsedUrl,
  searchTermOf,
} from "../../src/contract/host.js";

const label63 = "a".repeat(63);
/** 253 characters: three labels of 63, one of 57, and `.com`. */
const host253 = `${[label63, label63, label63, "b".repeat(57)].join(".")}.com`;
const SHY = "\u00ad";
const ZWSP = "\u200b";
const CYRILLIC_A = "\u0430";

/** A text; whether it is a canonical host; the canonical host that it stands for, `same` for itself. */
const TABLE: readonly [text: string, canonical: boolean, meant: string | null | "same"][] = [
  ["example.com", true, "same"],
  ["9.com", true, "same"],
  ["sub.domain.example.com", true, "same"],
  ["a.gz", true, "same"],
  ["constructor.com", true, "same"],
  ["wwwexample.com", true, "same"],
  ["api.www.example.com", true, "same"],
  ["a--b.com", true, "same"],
  ["xn--pple-43d.com", true, "same"],
  ["xn--bcher-kva.example", true, "same"],
  ["example.xn--p1ai", true, "same"],
  [host253, true, "same"],
  [host253.replace(".com", "b.com"), false, null],
  [`www.${host253}`, false, host253],
  [`${label63}.com`, true, "same"],
  [`a${label63}.com`, false, null],
  [`example.${label63}`, true, "same"],
  [`example.a${label63}`, false, null],
  ["", false, null],
  [".", false, null],
  ["..", false, null],
  ["com", false, null],
  ["localhost", false, null],
  ["example.c", false, null],
  ["example.1com", false, null],
  ["127.0.0.1", false, null],
  ["0x7f.1", false, null],
  ["2130706433", false, null],
  ["[::1]", false, null],
  ["www.example.com", false, "example.com"],
  ["www.www.example.com", false, "example.com"],
  ["www.com", false, null],
  ["example.com.", false, "example.com"],
  ["example.com..", false, null],
  ["www.example.com.", false, "example.com"],
  [".example.com", false, null],
  ["a..b.com", false, null],
  ["example.com:443", false, "example.com"],
  ["example.com:99999", false, null],
  ["https://example.com", false, "example.com"],
  ["HTTPS://WWW.Example.COM:8443/a?b#c", false, "example.com"],
  ["//example.com", false, "example.com"],
  ["https://name:secret@example.com/", false, "example.com"],
  ["https://", false, null],
  ["ftp://example.com/file", false, "example.com"],
  // No address of a host: a script, an email address, and a path.
  ["javascript://example.com/%0aalert(1)", false, null],
  ["mailto://name@example.com", false, null],
  ["/example.com", false, null],
  ["\\u0061.example.com", false, null],
  ["example.com\u0000", false, null],
  ["\u0001example.com", false, null],
  ["exam\u007fple.com", false, null],
  ["example.com/path", false, "example.com"],
  ["Example.com", false, "example.com"],
  [" example.com ", false, "example.com"],
  ["example.com\n", false, "example.com"],
  ["exam ple.com", false, null],
  ["example.com\nexample.org", false, null],
  ["exam\tple.com", false, null],
  ['["example.com"]', false, null],
  ['{"host":"example.com"}', false, null],
  ["example.com,example.org", false, null],
  ["team@example.com", false, null],
  ["mailto:team@example.com", false, null],
  ["example.com/@team", false, "example.com"],
  ["a_b.com", false, null],
  ["-a.com", false, null],
  ["a-.com", false, null],
  ["a.com-", false, null],
  ["*.example.com", false, null],
  ["xn--a.com", false, null],
  ["xn--zzzzzz99999999999.com", false, null],
  [`${CYRILLIC_A}pple.com`, false, "xn--pple-43d.com"],
  ["b\u00fccher.example", false, "xn--bcher-kva.example"],
  [`exam${SHY}ple.com`, false, "example.com"],
  [`exam${ZWSP}ple.com`, false, "example.com"],
  ["\uff45\uff58ample.com", false, "example.com"],
  ["example\u3002com", false, "example.com"],
  ["\ud800.com", false, null],
  ["%65xample.com", false, "example.com"],
  ["a\u0000b.com", false, null],
];

/** A row as a sentence; what cannot be seen is escaped. */
function sentence([text, canonical, meant]: (typeof TABLE)[number]): string {
  const escaped = JSON.stringify(text).replace(
    /[^ -~]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const shown = text.length > 60 ? `${escaped.slice(0, 8)}…" (${text.length})` : escaped;
  if (canonical) return `accepts ${shown}`;
  return `refuses ${shown}, ${meant === null ? "which stands for none" : `and proposes ${meant}`}`;
}

describe("a canonical host", () => {
  it.each(TABLE.map((row) => [sentence(row), ...row] as const))(
    "%s",
    (_, text, canonical, meant) => {
      expect(isCanonicalHost(text)).toBe(canonical);
      expect(canonicalHostOf(text)).toBe(meant === "same" ? text : meant);
    },
  );

  it("is what canonicalHostOf proposes", () => {
    const proposed = TABLE.map(([text]) => canonicalHostOf(text)).filter((host) => host !== null);
    expect(proposed.length).toBeGreaterThan(30);
    expect(proposed.filter((host) => !isCanonicalHost(host))).toEqual([]);
  });

  it.each([
    ["one label", "a".repeat(10_000)],
    ["labels of one letter", "a.".repeat(5_000)],
    ["hyphens", `a${"-".repeat(9_998)}a`],
    ["hyphens and dots", "a-.".repeat(3_333)],
    ["dots", ".".repeat(10_000)],
    ["dots, then a letter", `a${".".repeat(9_998)}b`],
    ["www", "www.".repeat(2_500)],
    ["white space", `${" ".repeat(9_999)}a`],
  ])("is judged at once for 10,000 hostile characters: %s", (_, text) => {
    const start = process.cpuUsage();
    for (let i = 0; i < 20; i += 1) {
      expect(isCanonicalHost(text)).toBe(false);
      expect(canonicalHostOf(text)).toBeNull();
    }
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1_000 / 20).toBeLessThan(15);
  });
});

describe("hostHash", () => {
  it("never changes its values, by which stored buckets are numbered (snapshots, the store)", () => {
    const values = ["", "a", "example.com", "globo.com.br", "xn--pple-43d.com", host253].map(
      hostHash,
    );
    expect(values).toEqual([
      2_872_998_923, 444_641_715, 4_057_309_619, 3_482_186_869, 1_531_595_560, 1_253_731_421,
    ]);
  });
});

describe("what a text looks for", () => {
  it.each([
    ["https://www.waifu.im/docs?x", "waifu.im"],
    [" HTTP://Waifu.IM ", "waifu.im"],
    ["www.waifu.im", "waifu.im"],
    ["waifu.im/docs", "waifu.im"],
    ["waifu.im:8080", "waifu.im"],
    ["https://bücher.de/x", "xn--bcher-kva.de"],
    [`https://waifu.im/${"x".repeat(9_000)}`, "waifu.im"],
    // Addresses that are still being typed.
    ["https://", ""],
    ["https://www.wai", "wai"],
    ["www.wai", "wai"],
    // A host in its own script.
    ["bücher.example", "xn--bcher-kva.example"],
    ["Пример.испытание", "xn--e1afmkfd.xn--80akhbyknj4f"],
    // No addresses.
    ["bücher", "bücher"],
    ["Bücher. Alle", "Bücher. Alle"],
    ["bücher.", "bücher."],
    [" Waifu.im ", "Waifu.im"],
    ["AC/DC", "AC/DC"],
    ["12:30", "12:30"],
    ["see https://waifu.im", "see https://waifu.im"],
    ["www", "www"],
    ["team@waifu.im", "team@waifu.im"],
  ])("%j: %j", (text, sought) => {
    expect(searchTermOf(text)).toBe(sought);
    expect(searchTermOf(sought)).toBe(sought);
  });
});

it("an address is read the same way each time, even with Latin-1 letters", () => {
  for (let time = 0; time < 20_000; time += 1) {
    const read = parsedUrl("https://café.example/ü")?.href;
    if (read !== "https://xn--caf-dma.example/%C3%BC") expect([time, read]).toBeNull();
  }
  for (const text of ["", "https://", "caf\u00e9", "//host.example/"])
    expect(parsedUrl(text), text).toBeNull();
});
