import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aListing, aPublishedDirectory } from "../fixtures.js";
import { sharedService } from "./http.js";
import { headerOf, Wire, type WireReply } from "./wire.js";

const long = "A tagline that makes the answer long enough to be compressed. ".repeat(30);
const files = aPublishedDirectory({ listings: [aListing({ tagline: long, description: long })] });

/** One that is stored, one that is computed, one that is a file. */
const TARGETS = ["/api/sites/example.com/report", "/api/sites?limit=7", "/api/standards"] as const;

type Coding = "identity" | "gzip" | "br";
const CODINGS = ["identity", "gzip", "br"] as const;

const service = sharedService(files);
let wire: Wire;
/** By target and coding. */
const wholes = new Map<string, WireReply>();
beforeAll(async () => {
  wire = await Wire.open(service.server);
  for (const target of TARGETS) {
    for (const coding of CODINGS) {
      const reply = await wire.get(target, `Accept-Encoding: ${coding}\r\n`);
      wholes.set(`${target} ${coding}`, reply);
    }
  }
});
afterAll(() => wire.end());

const wholeOf = (target: string, coding: Coding) => wholes.get(`${target} ${coding}`)!;

/**
 * The answers to a request, asked often enough for the last to come from memory, and to HEAD. They are one:
 * where an answer was made, or had been kept, cannot be seen.
 */
async function ask(target: string, lines: string): Promise<WireReply> {
  const rest = `${target} HTTP/1.1\r\nHost: a\r\n${lines}\r\n`;
  const replies = [];
  for (let i = 0; i < 3; i += 1) replies.push(await wire.ask(`GET ${rest}`));
  const head = await wire.ask(`HEAD ${rest}`, true);
  const seen = replies.map((reply) => [reply.status, undated(reply), reply.body.toString("hex")]);
  const [first = []] = seen;
  expect(seen).toEqual([first, first, first]);
  expect([head.status, undated(head), head.body.length]).toEqual([first[0], first[1], 0]);
  return replies[0]!;
}

const undated = ({ head }: WireReply) => head.replace(/^date: .*$/im, "");

/** `TAG` stands for the tag of the representation that is asked for, `OTHER` for another one's of the same. */
const CONDITIONS: readonly (readonly [condition: string, isSame: boolean])[] = [
  ["TAG", true],
  ["W/TAG", true],
  ['"x", W/TAG', true],
  ["*", true],
  ['"a,b", TAG', true],
  ['TAG\r\nIf-None-Match: "x"', true],
  ['"x"\r\nIf-None-Match: TAG', true],
  ["OTHER", false],
  ["W/OTHER", false],
  ['"x"', false],
  ["UNQUOTED", false],
  ["", false],
];

describe("conditions (lists, *, weak comparison)", () => {
  const rows = CONDITIONS.map((row, at) => [...row, CODINGS[at % 3]!] as const);

  it.each(rows)("If-None-Match: %s, the same: %s, as %s", async (condition, isSame, coding) => {
    for (const target of TARGETS) {
      const whole = wholeOf(target, coding);
      const tag = headerOf(whole, "etag") ?? "";
      const other = headerOf(wholeOf(target, coding === "gzip" ? "br" : "gzip"), "etag") ?? "";
      const value = condition
        .replaceAll("TAG", tag)
        .replace("OTHER", other)
        .replace("UNQUOTED", tag.slice(1, -1));
      const reply = await ask(target, `Accept-Encoding: ${coding}\r\nIf-None-Match: ${value}\r\n`);
      expect([target, reply.status]).toEqual([target, isSame ? 304 : 200]);
      for (const name of ["etag", "cache-control", "vary", "access-control-allow-origin"]) {
        expect([name, headerOf(reply, name)]).toEqual([name, headerOf(whole, name)]);
      }
      expect(reply.body.equals(isSame ? Buffer.alloc(0) : whole.body)).toBe(true);
      if (isSame) expect(reply.head).not.toMatch(/^content-(type|length|encoding)/im);
    }
  });
});

/** What is ignored, so that the whole answer comes, and the coding of that. representation.test.ts has more codings. */
const WHOLE: readonly (readonly [lines: string, coding: Coding])[] = [
  ...["bytes=0-1", "bytes=5-2", "bytes=3-1e400", "bytes=0-1,4-5", "items=0-1", "abc"].map(
    (range) => [`Range: ${range}`, "identity"] as const,
  ),
  ['Range: bytes=0-1\r\nIf-Range: "x"', "identity"],
  ["If-Modified-Since: Sun, 06 Nov 2050 08:49:37 GMT", "identity"],
  ["If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT", "identity"],
  ['If-Match: "x"', "identity"],
  ["Accept-Encoding: gzip, deflate, br, zstd", "br"],
  ["Accept-Encoding: gzip\r\nAccept-Encoding: br;q=0.1", "gzip"],
  ["Range: bytes=0-1\r\nAccept-Encoding: gzip", "gzip"],
];

describe("the whole answer comes, in the coding that is asked for", () => {
  it.each(WHOLE)("%s: %s", async (lines, coding) => {
    for (const target of TARGETS) {
      const whole = wholeOf(target, coding);
      const reply = await ask(target, `${lines}\r\n`);
      expect([target, reply.status]).toEqual([target, 200]);
      expect(headerOf(reply, "content-encoding") ?? "identity").toBe(coding);
      expect(headerOf(reply, "etag")).toBe(headerOf(whole, "etag"));
      expect(reply.body.equals(whole.body)).toBe(true);
      expect(reply.head).not.toMatch(/^(accept-ranges|content-range|last-modified)/im);
    }
  });
});
