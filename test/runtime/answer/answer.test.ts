import { describe, expect, it } from "vitest";
import { buildIndex, openEngine } from "../../../src/engine/engine.js";
import { type Answer, answer, type RequestFacts } from "../../../src/runtime/answer/answer.js";
import type { SnapshotView } from "../../../src/runtime/answer/content.js";
import { SERVER_PAGES } from "../../../src/runtime/http/server-pages.js";
import { firstHistory } from "../../../src/store/change-log.js";
import { theStandards } from "../../fixtures.js";

/** A snapshot without files: one listing whose report has as many bytes as asked for. */
function aSnapshot(reportBytes: number): SnapshotView {
  const body = new TextEncoder().encode(`{"data":"${"x".repeat(reportBytes - 11)}"}`);
  const digest = "ab".repeat(16);
  const vocabulary = { categories: [], signals: [], platforms: [] };
  return {
    id: "0".repeat(32),
    sha256Of: async () => digest,
    content: "1".repeat(32),
    engine: Promise.resolve(openEngine(buildIndex([], vocabulary))),
    digestOf: async () => digest,
    listing: async (host) =>
      host === "example.com"
        ? {
            host,
            report: { segment: 0, offset: 0, length: body.length, sha256: digest },
            enrichment: { segment: 0, offset: 0, length: 0, sha256: digest },
            publishedScan: "scan_1",
            historical: [],
            locked: [],
          }
        : undefined,
    summaryOf: async () => undefined,
    history: firstHistory("1".repeat(32), { days: 1, entries: 1 }),
    changesIn: async () => [],
    readAnswer: () => Promise.resolve(body),
    document: () => ({ length: 13, sha256: digest }),
    readDocument: () => Promise.resolve(body),
    directory: {
      name: "A directory",
      baseUrl: "",
      siteUrl: "",
      rubric: theStandards().rubric,
      checkIds: [],
      achievements: [],
      overviews: {},
    },
    listingCount: 1,
    pause: () => Promise.resolve(),
  };
}

const REPORT = "/api/sites/example.com/report";

/** Drives the answering without a socket; compressing is marking. */
async function ask(snapshot: SnapshotView | null, facts: Partial<RequestFacts>): Promise<Answer> {
  const compress = (bytes: Uint8Array, coding: string) =>
    Promise.resolve(new TextEncoder().encode(`${coding}:${bytes.length}`));
  const onDamage = (error: Error) => {
    throw error;
  };
  const made = answer(
    { method: "GET", target: REPORT, ...facts },
    { snapshot, pages: SERVER_PAGES, compress, onDamage },
  );
  return await made;
}

describe("answering without sockets and files", () => {
  it("compresses answers over 1 kB, and no others (decisions, HTTP)", async () => {
    const coded = async (bytes: number) =>
      (await ask(aSnapshot(bytes), { acceptEncoding: "gzip" })).headers["Content-Encoding"];
    expect(await coded(1024)).toBeUndefined();
    expect(await coded(1025)).toBe("gzip");
  });

  it("gives a compressed answer the length of its compressed bytes", async () => {
    const { headers, body } = await ask(aSnapshot(2_000), { acceptEncoding: "br" });
    expect(new TextDecoder().decode(body ?? undefined)).toBe("br:2000");
    expect(headers["Content-Length"]).toBe("7");
  });

  it("turns an internal error into a 502 and reports it, and never throws", async () => {
    const told: Error[] = [];
    const snapshot = {
      ...aSnapshot(20),
      listing: () => {
        throw new TypeError("a mistake");
      },
    };
    const given = await answer(
      { method: "GET", target: REPORT },
      {
        snapshot,
        pages: SERVER_PAGES,
        compress: (bytes) => Promise.resolve(bytes),
        onDamage: (error) => {
          told.push(error);
        },
      },
    );
    expect(given.status).toBe(502);
    expect(told.map(({ message }) => message)).toEqual(["a mistake"]);
    expect(new TextDecoder().decode(given.body ?? undefined)).not.toContain("mistake");
  });
});

describe("a page's bytes", () => {
  it.each([10, 300_000])(
    "are its whole text, and stay when other pages are made (%d)",
    async (size) => {
      const named = (letter: string) => {
        const snapshot = aSnapshot(100);
        return { ...snapshot, directory: { ...snapshot.directory, name: letter.repeat(size) } };
      };
      const target = "/llms.txt";
      const first = await ask(named("é"), { target });
      const second = await ask(named("ß"), { target });
      for (const [{ body, headers }, letter] of [
        [first, "é"],
        [second, "ß"],
      ] as const) {
        const text = new TextDecoder().decode(body ?? new Uint8Array());
        expect(text.split(letter).length).toBeGreaterThan(size);
        expect(text.endsWith("\n")).toBe(true);
        expect(headers["Content-Length"]).toBe(String(new TextEncoder().encode(text).length));
      }
    },
  );
});
