import { describe, expect, it } from "vitest";
import { hostHash } from "../../src/contract/host.js";
import {
  edit,
  type Files,
  minimalListing,
  openForReading,
  PLACES,
  readPublished,
  tinyDirectory,
  writeFiles,
} from "./tiny.js";

function scanOf(host: string, id: string): string {
  return JSON.stringify({ host, id, status: "done", finishedAt: "2026-01-01T00:00:00Z" });
}

const OTHER_HOST =
  'listings/single/gamma.json:4:10  $.url  found an address on "gamma.example", which is neither ' +
  "the listing's host nor a subdomain of it";

const HOSTS = Array.from({ length: 200 }, (_, place) => `h${place}.example`);

function manyHosts(): Files {
  return {
    ...tinyDirectory(),
    "listings/many.ndjson": HOSTS.map(minimalListing).join("\n"),
    "scans/many.ndjson": HOSTS.flatMap((host) => [scanOf(host, "s2"), scanOf(host, "s1")]).join(
      "\n",
    ),
  };
}

/** One error of each way in which it may be found. */
function badDirectory(): Files {
  const files = tinyDirectory();
  edit(files, PLACES.listings, '"a2"', '"a9"');
  edit(files, PLACES.listing, '"gamma.example"', '"beta.example"');
  edit(files, PLACES.scan, '"b1"', '"b 1"');
  files["listings/lost.ndjson"] = "{}\n";
  files["scans/lost.ndjson"] = `${scanOf("nobody.example", "n1")}\n{"host":"beta.example",`;
  return files;
}

describe("readShard", () => {
  it("gives each listing in the shard of its host's hash and in no other, in the order of the hashes", async () => {
    const { readShard } = await openForReading(writeFiles(manyHosts()));
    for (const bits of [0, 1, 3, 8]) {
      const seen: string[] = [];
      for (let shard = 0; shard < 2 ** bits; shard += 1) {
        const hosts = readShard(shard, bits).map(({ listing }) => listing.host);
        const inOrder = hosts.toSorted((a, b) => hostHash(a) - hostHash(b));
        expect(hosts).toEqual(inOrder);
        const due = (host: string) => (bits === 0 ? 0 : hostHash(host) >>> (32 - bits)) === shard;
        expect(hosts.filter((host) => !due(host))).toEqual([]);
        seen.push(...hosts);
      }
      const all = [...HOSTS, "alpha.example", "beta.example", "gamma.example"];
      expect(seen.toSorted()).toEqual(all.toSorted());
    }
  });

  it.each<[string, (files: Files) => void, string[]]>([
    [
      "has a problem, or a scan with one",
      (files) => {
        edit(files, PLACES.scan, '"b1"', '"b 1"');
        edit(files, PLACES.listing, '"blocked"', '"barred"');
      },
      ["alpha.example"],
    ],
    [
      "occurs twice",
      (files) => edit(files, PLACES.listing, '"gamma.example"', '"beta.example"'),
      ["alpha.example"],
    ],
    [
      "has a scan that occurs twice",
      (files) => {
        files["scans/again.ndjson"] = String(files[PLACES.scans]);
      },
      ["beta.example", "gamma.example"],
    ],
    [
      "names a published scan that does not exist",
      (files) => edit(files, PLACES.listings, '"a2"', '"a9"'),
      ["beta.example", "gamma.example"],
    ],
  ])("leaves out a listing that %s, and gives the other listings", async (_what, change, hosts) => {
    const files = tinyDirectory();
    change(files);
    const { listings } = await readPublished(writeFiles(files));
    expect(listings.map(({ listing }) => listing.host)).toEqual(hosts);
  });

  it("finds the same problems and warnings for any number of shards, each once", async () => {
    const folder = writeFiles(badDirectory());
    const { problems, warnings } = await readPublished(folder, 0);
    expect(problems).toHaveLength(7);
    expect(warnings).toEqual([
      OTHER_HOST,
      'scans/lost.ndjson:1:1  $  is left out: there is no listing for "nobody.example"',
    ]);
    for (const bits of [1, 5]) {
      expect(await readPublished(folder, bits)).toMatchObject({ problems, warnings });
    }
  });

  it("shows problems by file, line and column, files by code unit", async () => {
    const files = tinyDirectory();
    files["listings/Z.ndjson"] = "1\n2\n3";
    files["listings/a.ndjson"] = '{"x":1,"host":2}\n{"host":';
    files["listings/a-b.json"] = "[]";
    const { problems } = await readPublished(writeFiles(files));
    const places = problems.map((line) => line.split("  ").slice(0, 2).join(" "));
    expect(places).toEqual([
      "listings/Z.ndjson:1:1 $",
      "listings/Z.ndjson:2:1 $",
      "listings/Z.ndjson:3:1 $",
      "listings/a-b.json:1:1 $",
      "listings/a.ndjson:1:1 $.status",
      "listings/a.ndjson:1:1 $.url",
      "listings/a.ndjson:1:2 $.x",
      "listings/a.ndjson:1:15 $.host",
      "listings/a.ndjson:2:9 $",
    ]);
  });
});

describe("bad neighbours", () => {
  it("do not make an unparsable scan count as a missing published scan", async () => {
    const files = tinyDirectory();
    edit(files, PLACES.scans, '"id":"a2",', '"id":"a2"');
    const { problems, warnings } = await readPublished(writeFiles(files));
    expect(problems).toEqual([
      'scans/2026/a.ndjson:2:34  $  is not JSON: found `"status"`, expected `,`',
    ]);
    expect(warnings).toEqual([]);
  });

  it("do not take an unparsable listing's scans or its host away", async () => {
    const files = tinyDirectory();
    edit(files, PLACES.listings, '"unclaimed"}', '"unclaimed"');
    edit(files, PLACES.listing, 'gamma.example"', 'beta.example"');
    const { problems, warnings } = await readPublished(writeFiles(files));
    expect(problems).toEqual([
      "listings/ab.ndjson:2:74  $  is not JSON: found the end, expected `}`",
      'listings/single/gamma.json:3:11  $.host  found "beta.example" a second time; the first is at ' +
        "listings/ab.ndjson:2:1",
    ]);
    expect(warnings).toEqual([OTHER_HOST]);
  });

  it("include a record nested too deep for positions, which is reported as such, even as a duplicate", async () => {
    const deep = `{"host":"gamma.example","x":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
    const files: Files = { ...tinyDirectory(), "listings/zz.ndjson": deep };
    const { problems } = await readPublished(writeFiles(files));
    expect(problems).toEqual([
      'listings/zz.ndjson:1:1  $  found "gamma.example" a second time; the first is at listings/single/gamma.json:3:11',
      "listings/zz.ndjson:1:228  $  is nested deeper than 200 levels",
    ]);
  });
});
