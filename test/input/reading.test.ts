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

/** The digests of each host's records, whatever their order. */
async function digestsOf(change: (files: Files) => void): Promise<Record<string, string[]>> {
  const files = tinyDirectory();
  change(files);
  const { input, readShard } = await openForReading(writeFiles(files));
  const hosts = readShard().map(({ listing }) => listing.host);
  const { listings, scans } = input.located;
  const digests = (host: string) =>
    [listings, scans].flatMap(({ columns }) =>
      Array.from({ length: columns.count }, (_, record) => record)
        .filter((record) => columns.hostHash[record] === hostHash(host))
        .map((record) => columns.digest.slice(4 * record, 4 * record + 4).join())
        .sort(),
    );
  return Object.fromEntries(hosts.map((host) => [host, digests(host)]));
}

describe("a published directory without a fault", () => {
  it("may have a byte-order mark at the start of every file, CRLF, blank lines and no final line end", async () => {
    const files = tinyDirectory();
    for (const [path, text] of Object.entries(files)) {
      files[path] = `\ufeff${String(text).replaceAll("\n", "\r\n")}`;
    }
    files[PLACES.listings] = ` \r\n\r\n\t\n${String(files[PLACES.listings]).slice(1).trimEnd()}`;
    const { problems, listings } = await readPublished(writeFiles(files));
    expect(problems).toEqual([]);
    expect(listings).toHaveLength(3);
    expect(listings).toEqual((await readPublished(writeFiles(tinyDirectory()))).listings);
  });

  it("does not count a byte-order mark as a column", async () => {
    const { problems } = await readPublished(
      writeFiles({
        ...tinyDirectory(),
        "listings/x.ndjson": `\ufeff${minimalListing("x.y.example")};`,
      }),
    );
    expect(problems).toEqual([
      "listings/x.ndjson:1:73  $  is not JSON: found `;`, expected a quoted text, a number, true, false or null",
    ]);
  });

  it.each([
    [
      "twice, once escaped",
      '{"host":"w.example","ho\\u0073t":"x.example","url":"https://x.example/","status":"s"}',
    ],
    [
      "next to a text of the same name",
      '{"name":"host","url":"https://x.example/","status":"s","host":"x.example"}',
    ],
  ])("lets the host of a record be found %s", async (_place, line) => {
    const files = { ...tinyDirectory(), "listings/x.ndjson": line };
    const { readShard } = await openForReading(writeFiles(files));
    const listings = readShard(hostHash("x.example") >>> 22, 10);
    expect(listings.map(({ listing }) => listing.host)).toEqual(["x.example"]);
  });
});

describe("the digests of a listing's records", () => {
  const unchanged = () => {};

  it("does not depend on the records' files, their order, or the blanks around them", async () => {
    const moved = await digestsOf((files) => {
      const lines = String(files[PLACES.scans]).trim().split("\n");
      files[PLACES.scans] = ` ${lines[1]}\r\n\n`;
      files["scans/other.json"] = `\ufeff\n${lines[0]} `;
      files["listings/z/z.ndjson"] = files[PLACES.listings]!;
      delete files[PLACES.listings];
    });
    expect(moved).toEqual(await digestsOf(unchanged));
  });

  it("changes with any byte of any of the records, and with their number", async () => {
    const before = await digestsOf(unchanged);
    const changes: ((files: Files) => void)[] = [
      (files) => edit(files, PLACES.listings, '"claimed"', '"taken"'),
      (files) => edit(files, PLACES.listings, '{"host":"alpha', '{ "host":"alpha'),
      (files) => edit(files, PLACES.scans, '"poor"', '"low"'),
      (files) => edit(files, PLACES.scans, '"band":"high",', ""),
      (files) => {
        files["scans/a0.json"] = String(files[PLACES.scans]).split("\n")[0]!.replace("a1", "a0");
      },
    ];
    for (const change of changes) {
      const after = await digestsOf(change);
      expect(after["alpha.example"]).not.toEqual(before["alpha.example"]);
      expect({ ...after, "alpha.example": [] }).toEqual({ ...before, "alpha.example": [] });
    }
  });
});
