/** A directory with a page of every kind. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeSample } from "../../src/sample/sample.js";

/** The sample's size. Every kind of report is among the first listings. */
const SHOWN_LISTINGS = 300;

/** Listings that the sample does not have, each with one scan. */
const MORE = [
  {
    listing: { host: "minimal.example" },
    scan: { status: "complete", score: 48, scoreVersion: "2026.1", band: "partial" },
  },
  {
    listing: { host: "redirected.example", visibility: "redirected" },
    scan: {
      status: "complete",
      score: null,
      redirect: { host: "laurel-plumbing.example", status: 301 },
    },
  },
];

/**
 * Writes the published directory whose pages the scripts look at: the sample, and listings in states that it lacks.
 * @param folder a folder that does not exist
 */
export async function writeShown(folder: string): Promise<void> {
  await writeSample(folder, { listings: SHOWN_LISTINGS });
  for (const { listing, scan } of MORE) {
    const { host } = listing;
    write(join(folder, "listings"), host, {
      url: `https://${host}/`,
      name: host,
      status: "unclaimed",
      ...listing,
    });
    write(join(folder, "scans"), host, {
      host,
      id: "scan-1",
      finishedAt: "2026-08-09T03:31:12.123456Z",
      ...scan,
    });
  }
}

/** Changes the directory of `writeShown`, so that the page of changes has some: a new scan, and a new site. */
export function changeShown(folder: string): void {
  const scan = {
    host: "minimal.example",
    id: "scan-2",
    finishedAt: "2026-08-30T03:31:12.123456Z",
    status: "complete",
    score: 61,
    scoreVersion: "2026.1",
    band: "readable",
  };
  write(join(folder, "scans"), "minimal.example-2", scan);
  const added = { host: "added.example", url: "https://added.example/", name: "Added" };
  write(join(folder, "listings"), added.host, { ...added, status: "unclaimed" });
  write(join(folder, "scans"), added.host, { ...scan, host: added.host });
}

function write(folder: string, name: string, record: object): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(record));
}
