import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/*
 * A published directory as its publisher wrote it, and what is in search by the rules of the contract. None of the
 * program's code reads it, so that tests can compare answers with it.
 */

export interface PublishedCheck {
  readonly checkId: string;
  readonly kind: "achievement" | "penalty" | "capability";
  readonly status: "pass" | "warn" | "fail" | "na";
  readonly summary: string | null;
}

export interface PublishedScan {
  readonly id: string;
  readonly host: string;
  readonly status: string;
  readonly finishedAt: string;
  readonly score: number | null;
  readonly scoreVersion: string | null;
  readonly checks?: readonly PublishedCheck[];
  readonly fixes?: readonly {
    readonly checkId: string;
    readonly recoverablePoints: number;
    readonly scoreAfter: number | null;
  }[];
  readonly accessPolicy?: {
    readonly rows: readonly {
      readonly title: string;
      readonly findings: readonly {
        readonly subjects: readonly string[];
        readonly state: string;
      }[];
    }[];
  } | null;
}

export interface PublishedListing {
  readonly host: string;
  readonly name?: string | null;
  readonly category?: string | null;
  readonly visibility?: string;
  readonly publishedScan?: string | null;
  readonly entitlements?: {
    readonly history?: boolean;
    readonly fixPrompts?: number | null;
  } | null;
}

/** A listing with the scan that it shows. */
export interface PublishedSite {
  readonly listing: PublishedListing;
  readonly scan: PublishedScan;
  /** The listing's scans up to that one, the newest first. */
  readonly scans: readonly PublishedScan[];
}

export interface Published {
  readonly standards: {
    readonly rubric: { readonly version: string };
    readonly checks: readonly {
      readonly id: string;
      readonly name: string;
      readonly kind: string;
      readonly whyItMatters: string;
    }[];
  };
  readonly categories: readonly { readonly slug: string; readonly name: string }[];
  readonly listings: readonly PublishedListing[];
  /** By host, those in search. */
  readonly sites: ReadonlyMap<string, PublishedSite>;
}

/** Reads all records below a folder, of which a file has one, or one in each line. */
async function recordsIn<T>(folder: string): Promise<T[]> {
  const names = await readdir(folder, { recursive: true });
  const texts = await Promise.all(
    names
      .filter((name) => /[.](?:nd)?json$/.test(name))
      .map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const),
  );
  return texts.flatMap(([name, text]) =>
    name.endsWith(".json")
      ? [JSON.parse(text)]
      : text.split("\n").flatMap((line) => (line === "" ? [] : JSON.parse(line))),
  );
}

export async function readPublished(folder: string): Promise<Published> {
  const document = async (name: string) => JSON.parse(await readFile(join(folder, name), "utf8"));
  const listings = await recordsIn<PublishedListing>(join(folder, "listings"));
  const scans = new Map<string, PublishedScan[]>();
  for (const scan of await recordsIn<PublishedScan>(join(folder, "scans"))) {
    scans.set(scan.host, [...(scans.get(scan.host) ?? []), scan]);
  }
  const when = ({ finishedAt }: PublishedScan) => Date.parse(finishedAt);
  const sites = listings.flatMap((listing): [string, PublishedSite][] => {
    const all = scans.get(listing.host) ?? [];
    all.sort((a, b) => when(b) - when(a) || (a.id < b.id ? 1 : -1));
    const pinned = listing.publishedScan ?? all[0]?.id;
    const at = all.findIndex(({ id }) => id === pinned);
    const scan = all[at];
    const isListed = (listing.visibility ?? "listed") === "listed";
    if (!isListed || scan === undefined || scan.status === "moved") return [];
    return [[listing.host, { listing, scan, scans: all.slice(at) }]];
  });
  return {
    standards: await document("standards.json"),
    categories: (await document("taxonomy.json")).categories,
    listings,
    sites: new Map(sites),
  };
}
