import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hostHash } from "../../src/contract/host.js";
import { contentOf, describe as fileOf } from "../../src/publish/segment-writer.js";
import { aligned } from "../../src/store/columns/columns.js";
import { Manifest } from "../../src/store/format.js";
import { layout, sha256, snapshotId } from "../../src/store/layout.js";
import { STORE_FORMAT } from "../../src/store/names.js";
import { pointerText } from "../../src/store/pointer.js";
import { answerTree } from "../../src/store/segments/answer-tree.js";
import { byHash, type DirectoryEntry, writeDirectory } from "../../src/store/segments/directory.js";
import type { TableRow } from "../../src/store/segments/table.js";
import { writeTable } from "../../src/store/segments/write-table.js";

/* The worked example of docs/snapshot-format.md: a store as the program writes it, with answers that are short. */

const CATEGORY = { slug: "news", name: "News", group: "topic", order: 1 };
const TAG = { slug: "daily", name: "Daily", group: "content", order: 1 };

const ROW: TableRow = {
  host: "example.com",
  url: "https://example.com/",
  name: "Café",
  tagline: null,
  status: "unclaimed",
  latestScore: 60,
  latestBand: "open",
  latestScoreVersion: "1",
  latestScannedAt: "2026-09-01T12:00:00.000Z",
  platforms: [],
  hosting: null,
  linkRel: "nofollow",
  category: CATEGORY,
  tags: [TAG],
  capabilities: ["llms-txt"],
  logoUrl: null,
  ogImageUrl: null,
  highlighted: false,
};

/** The files of the example by path, and its id. */
export async function exampleSnapshot(): Promise<{ id: string; files: Map<string, Uint8Array> }> {
  let answers = "";
  const put = (body: object) => {
    const text = JSON.stringify(body);
    const place = [answers.length, text.length, sha256(text)] as const;
    answers += `${text}\n`;
    return place;
  };
  const listed = {
    host: "example.com",
    search: { summary: ROW, recent: "" },
    report: put({ data: { score: 60 } }),
    enrichment: put({ data: { ready: true } }),
    publishedScan: "s2",
    historical: [{ scan: "s1", report: put({ data: { score: 40 } }) }],
    locked: [],
  };
  const withheld = {
    host: "example.org",
    search: null,
    report: put({ data: { score: null } }),
    enrichment: put({ data: { ready: false } }),
    publishedScan: "s1",
    historical: [],
    locked: [],
  };
  const entries = [listed, withheld]
    .map((entry): DirectoryEntry => ({ ...entry, content: contentOf(entry) }))
    .sort(byHash);
  const directory = writeDirectory(entries);
  const pack = Buffer.concat([
    Buffer.from(answers.padEnd(aligned(answers.length), "\0")),
    directory,
  ]);
  const table = writeTable([ROW]);
  const hashes = entries.map(({ host }) => hostHash(host));
  const manifest: Manifest = Manifest.parse({
    format: STORE_FORMAT,
    content: "00000000000000000000000000000000",
    directory: {
      name: "Example",
      baseUrl: "https://directory.example",
      siteUrl: "https://directory.example",
    },
    counts: { reports: 2, searchable: 1, historical: 1 },
    vocabulary: { categories: [CATEGORY], tags: [TAG], signals: [], platforms: [] },
    segments: [
      {
        table: fileOf(table, layout.table),
        pack: fileOf(pack, layout.pack),
        directory: { bytes: directory.length, sha256: sha256(directory) },
        answers: await answerTree(entries, sha256),
        rows: 1,
        listings: 2,
        live: 2,
        firstHash: hashes[0],
        lastHash: hashes[1],
      },
    ],
    public: [],
    history: { generation: 1, origin: "00000000" },
  });
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  const id = snapshotId(text);
  const pointer = pointerText({ id, generation: 1, origin: "00000000" });
  const files = new Map<string, Uint8Array>([
    ["current.json", Buffer.from(pointer)],
    [`${id}/manifest.json`, text],
    [layout.pack(sha256(pack)), pack],
    [layout.table(sha256(table)), table],
  ]);
  return { id, files };
}

/** Bytes as `hexdump -C` prints them. */
export function hexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const some = Buffer.from(bytes.subarray(at, at + 16));
    const digits = [some.subarray(0, 8), some.subarray(8)].map((half) =>
      half
        .toString("hex")
        .replace(/..(?=.)/g, "$& ")
        .padEnd(23),
    );
    const shown = some.toString("latin1").replace(/[^ -~]/g, ".");
    lines.push(`${at.toString(16).padStart(8, "0")}  ${digits.join("  ")}  |${shown}|\n`);
  }
  return lines.join("");
}

/** The bytes of a dump. */
export function dumped(text: string): Buffer {
  const digits = [...text.matchAll(/^[0-9a-f]{8} {2}([0-9a-f ]+)\|/gm)].map(([, line]) => line);
  return Buffer.from(digits.join("").replace(/ /g, ""), "hex");
}

/** Writes files by their paths below a folder. */
export async function writeAll(folder: string, files: ReadonlyMap<string, Uint8Array>) {
  for (const [path, bytes] of files) {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
}
