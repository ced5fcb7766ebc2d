import { execFileSync, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { COMMAND } from "../../cli/spawned.js";
import {
  type Files,
  minimalListing,
  PLACES,
  readPublished,
  temporaryFolder,
  tinyDirectory,
  writeFiles,
} from "../tiny.js";

/** What runs a command without the administrator's right to read everything. */
const UNPRIVILEGED =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--"] : ["env"];
const CAN_DROP = spawnSync(UNPRIVILEGED[0] ?? "", ["--version"]).status === 0;

const TINY_HOSTS = ["alpha.example", "beta.example", "gamma.example"];

async function hostsOf(folder: string): Promise<string[]> {
  const { problems, listings } = await readPublished(folder, 0);
  expect(problems).toEqual([]);
  return listings.map(({ listing }) => listing.host);
}

describe("record files", () => {
  it("are those named .json and .ndjson, in any folders, whatever else is in their names", async () => {
    const folder = writeFiles({
      ...tinyDirectory(),
      "listings/n0.json": minimalListing("n0.example"),
      "listings/a/b/c/d/n1.ndjson": minimalListing("n1.example"),
      "listings/[x]{y}*?!.json": minimalListing("n2.example"),
      "listings/back\\slash/sp ace.ndjson": minimalListing("n3.example"),
      "listings/é\n.json": minimalListing("n4.example"),
      "listings/folder.json/x.json": minimalListing("n5.example"),
    });
    const added = ["n0", "n1", "n2", "n3", "n4", "n5"].map((name) => `${name}.example`);
    expect(await hostsOf(folder)).toEqual([...TINY_HOSTS, ...added]);
  });

  it("do not include other names, hidden files and other folders", async () => {
    const folder = writeFiles({
      ...tinyDirectory(),
      "README.md": "for people, without a warning",
      "NOTES.md": "no",
      "listings/x.json.bak": "no",
      "listings/x.ndjson.gz": "no",
      "listings/.gitkeep": "",
      "listings/.hidden.json": "no",
      "listings/.git/x.json": "no",
      "more/x.json": "no",
      "listing.json": "no",
    });
    symlinkSync("../NOTES.md", join(folder, "scans/notes.md"));
    execFileSync("mkfifo", [join(folder, "scans/pipe")]);
    const { problems, warnings, listings } = await readPublished(folder);
    expect(problems).toEqual([]);
    expect(listings.map(({ listing }) => listing.host)).toEqual(TINY_HOSTS);
    const beside = "expected only directory.json, standards.json, taxonomy.json, listings, scans";
    const ending = "expected a name that ends in .json, .ndjson or .jsonl";
    expect(warnings).toEqual([
      `NOTES.md:1:1  $  is not read, ${beside}`,
      `listing.json:1:1  $  is not read, ${beside}; did you mean "listings"?`,
      "listings/.git:1:1  $  is not read, nor is anything in it: its name begins with a dot",
      "listings/.hidden.json:1:1  $  is not read: its name begins with a dot",
      `listings/x.json.bak:1:1  $  is not read, ${ending}`,
      `listings/x.ndjson.gz:1:1  $  is not read, ${ending}`,
      `more:1:1  $  is not read, ${beside}`,
      `scans/notes.md:1:1  $  is not read, ${ending}`,
      `scans/pipe:1:1  $  is not read, ${ending}`,
    ]);
  });

  it(
    "do not include the folders that a file system makes, which only matter if somebody has put " +
      "something there",
    async () => {
      const made = ["lost+found", "listings/lost+found", "scans/a/System Volume Information"];
      const folder = writeFiles(tinyDirectory());
      for (const name of made) mkdirSync(join(folder, name), { recursive: true });
      expect(await readPublished(folder)).toMatchObject({ problems: [], warnings: [] });
      for (const name of made)
        writeFileSync(join(folder, name, "mine.json"), minimalListing("n.example"));
      writeFileSync(join(folder, "listings/$RECYCLE.BIN"), "a file");
      const { problems, warnings, listings } = await readPublished(folder);
      expect(problems).toEqual([]);
      expect(listings.map(({ listing }) => listing.host)).toEqual(TINY_HOSTS);
      const message = "is not read, nor is anything in it: file systems keep folders of this name";
      expect(warnings).toEqual([
        "listings/$RECYCLE.BIN:1:1  $  is not read, expected a name that ends in .json, .ndjson or .jsonl",
        `listings/lost+found:1:1  $  ${message}`,
        "lost+found:1:1  $  is not read, expected only directory.json, standards.json, taxonomy.json, listings, scans",
        `scans/a/System Volume Information:1:1  $  ${message}`,
      ]);
    },
  );

  it.skipIf(!CAN_DROP)(
    "may lie beside folders of the file system that only the administrator may read",
    () => {
      const folder = writeFiles(tinyDirectory());
      for (const name of ["lost+found", "listings/lost+found"]) {
        mkdirSync(join(folder, name), { mode: 0 });
      }
      const args = [...UNPRIVILEGED, process.execPath, COMMAND, "validate", folder, "--strict"];
      const [program = "", ...rest] = args;
      const { status, stdout, stderr } = spawnSync(program, rest, { encoding: "utf8" });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout).toContain("3 listings");
    },
  );

  it("include those named .jsonl, and names in any case, each in its form", async () => {
    const folder = writeFiles({
      ...tinyDirectory(),
      "listings/a.jsonl": `${minimalListing("n1.example")}\n${minimalListing("n2.example")}`,
      "listings/b.JSON": `{"$schema": "x",\n${minimalListing("n3.example").slice(1)}`,
      "listings/c.NdJson": `${minimalListing("n4.example")}\n\n${minimalListing("n5.example")}`,
      "listings/d.JSONL": minimalListing("n6.example"),
    });
    const { problems, warnings, listings } = await readPublished(folder);
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
    const added = ["n1", "n2", "n3", "n4", "n5", "n6"].map((name) => `${name}.example`);
    expect(listings.map(({ listing }) => listing.host)).toEqual([...TINY_HOSTS, ...added]);
  });

  it("may be absent if the folders exist and are empty", async () => {
    const { listings, scans, ...documents } = PLACES;
    const all = tinyDirectory();
    const files: Files = {};
    for (const path of [documents.directory, documents.standards, documents.taxonomy]) {
      files[path] = all[path]!;
    }
    const folder = writeFiles(files);
    const missing = (name: string) =>
      `${name}:1:1  $  is missing, expected a folder of ${name}; if there are none, make an empty folder`;
    expect((await readPublished(folder)).problems).toEqual(["listings", "scans"].map(missing));
    mkdirSync(join(folder, "listings"));
    expect((await readPublished(folder)).problems).toEqual([missing("scans")]);
    mkdirSync(join(folder, "scans"));
    expect(await readPublished(folder)).toMatchObject({ problems: [], warnings: [], listings: [] });
  });

  it("that are missing with their folder give one error, and no scan is reported as an orphan", async () => {
    const folder = writeFiles(tinyDirectory());
    rmSync(join(folder, "listings"), { recursive: true });
    const { problems, warnings } = await readPublished(folder);
    expect(problems.map((line) => line.split(" is ")[0])).toEqual(["listings:1:1  $ "]);
    expect(warnings).toEqual([]);
  });
});

describe("an entry that is not a regular file", () => {
  it("is an error, and never blocks", async () => {
    const folder = writeFiles(tinyDirectory());
    execFileSync("mkfifo", [join(folder, "listings/pipe.json"), join(folder, "scans/pipe.ndjson")]);
    const server = createServer().listen(join(folder, "listings/socket.json"));
    onTestFinished(() => void server.close());
    await once(server, "listening");
    rmSync(join(folder, "directory.json"));
    execFileSync("mkfifo", [join(folder, "directory.json")]);
    rmSync(join(folder, "taxonomy.json"));
    mkdirSync(join(folder, "taxonomy.json"));
    const { problems } = await readPublished(folder);
    expect(problems).toEqual([
      "directory.json:1:1  $  is not a regular file",
      "listings/pipe.json:1:1  $  is not a regular file",
      "listings/socket.json:1:1  $  is not a regular file",
      "scans/pipe.ndjson:1:1  $  is not a regular file",
      "taxonomy.json:1:1  $  is not a regular file",
    ]);
  });

  it("is an error in the place of a folder", async () => {
    const folder = writeFiles({ ...tinyDirectory(), "x/scans": "" });
    rmSync(join(folder, "scans"), { recursive: true });
    writeFileSync(join(folder, "scans"), "[]");
    const { problems } = await readPublished(folder);
    expect(problems).toContain("scans:1:1  $  is not a folder");
  });
});

describe("links (those that lead out are not followed, and loops end)", () => {
  it("out of the folder are not followed, and nothing behind them is read", async () => {
    const outside = writeFiles({
      "secret.json": minimalListing("canary.example"),
      "listings/secret.ndjson": minimalListing("canary.example"),
      "standards.json": String(tinyDirectory()[PLACES.standards]),
    });
    const folder = writeFiles(tinyDirectory());
    symlinkSync(join(outside, "secret.json"), join(folder, "listings/link.json"));
    symlinkSync(join(outside, "listings"), join(folder, "listings/away"));
    symlinkSync(outside, join(folder, "scans/zz"));
    symlinkSync("/dev/zero", join(folder, "scans/zero.ndjson"));
    const { problems, warnings, listings } = await readPublished(folder);
    expect(problems).toEqual([]);
    expect(warnings).toEqual([
      "listings/away:1:1  $  is a link that leads out of the published folder; it is not followed",
      "listings/link.json:1:1  $  is a link that leads out of the published folder; it is not followed",
      "scans/zero.ndjson:1:1  $  is a link that leads out of the published folder; it is not followed",
      "scans/zz:1:1  $  is a link that leads out of the published folder; it is not followed",
    ]);
    expect(JSON.stringify(listings)).not.toContain("canary");

    rmSync(join(folder, "standards.json"));
    symlinkSync(join(outside, "standards.json"), join(folder, "standards.json"));
    rmSync(join(folder, "listings"), { recursive: true });
    symlinkSync(join(outside, "listings"), join(folder, "listings"));
    const second = await readPublished(folder);
    expect(second.problems).toEqual([
      "listings:1:1  $  is a link that leads out of the published folder; it is not followed",
      "standards.json:1:1  $  is a link that leads out of the published folder",
    ]);
    expect(second.listings).toEqual([]);
  });

  it("to a folder whose name begins with the published folder's name lead out of it", async () => {
    const folder = writeFiles(tinyDirectory());
    writeFiles({ "x.json": minimalListing("canary.example") }, `${folder}-2`);
    onTestFinished(() => rmSync(`${folder}-2`, { recursive: true }));
    symlinkSync(join(`${folder}-2`, "x.json"), join(folder, "listings/x.json"));
    expect(await hostsOf(folder)).toEqual(TINY_HOSTS);
  });

  it("in loops, and to nothing, are not endless", async () => {
    const folder = writeFiles(tinyDirectory());
    symlinkSync("..", join(folder, "listings/up"));
    symlinkSync(".", join(folder, "listings/single/here"));
    symlinkSync("../single", join(folder, "listings/single/self"));
    symlinkSync("two.json", join(folder, "listings/one.json"));
    symlinkSync("one.json", join(folder, "listings/two.json"));
    symlinkSync("nowhere", join(folder, "listings/gone.json"));
    const { problems, warnings, listings } = await readPublished(folder);
    expect(problems).toEqual([]);
    expect(listings).toHaveLength(3);
    expect(warnings).toEqual([
      "listings/gone.json:1:1  $  is a link whose target does not exist (ENOENT)",
      "listings/one.json:1:1  $  is a link whose target is a link, or a loop of links (ELOOP)",
      "listings/single/here:1:1  $  is a link to a folder that contains it; it is not followed",
      "listings/single/self:1:1  $  is a link to a folder that contains it; it is not followed",
      "listings/two.json:1:1  $  is a link whose target is a link, or a loop of links (ELOOP)",
      "listings/up:1:1  $  is a link to a folder that contains it; it is not followed",
    ]);
  });

  it("inside the folder are followed, and a file that two paths reach is read once", async () => {
    const folder = writeFiles({
      ...tinyDirectory(),
      ".data/v7/in/new.json": minimalListing("n.example"),
    });
    symlinkSync("../.data/v7", join(folder, "listings/current"));
    symlinkSync("../.data/v7/in", join(folder, "listings/again"));
    symlinkSync("../../listings/ab.ndjson", join(folder, ".data/v7/ab.ndjson"));
    symlinkSync("../current", join(folder, "listings/single/current"));
    expect(await hostsOf(folder)).toEqual([...TINY_HOSTS, "n.example"]);
  });

  it("may stand for the folders and documents themselves, and for the published folder", async () => {
    const folder = temporaryFolder();
    writeFiles(tinyDirectory(), join(folder, ".releases/1"));
    for (const name of ["directory.json", "standards.json", "taxonomy.json", "listings", "scans"]) {
      symlinkSync(join(".releases/1", name), join(folder, name));
    }
    expect(await hostsOf(folder)).toEqual(TINY_HOSTS);
    const link = join(temporaryFolder(), "published");
    symlinkSync(folder, link);
    expect(await hostsOf(link)).toEqual(TINY_HOSTS);
  });

  it("give the file its name and its form", async () => {
    const folder = writeFiles({
      ...tinyDirectory(),
      "store/records.txt": `\n${minimalListing("a_b")}`,
    });
    symlinkSync("../store/records.txt", join(folder, "listings/store.ndjson"));
    symlinkSync("../store", join(folder, "listings/folder.ndjson"));
    const { problems } = await readPublished(folder);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(
      /^listings\/store\.ndjson:2:9 {2}\$\.host {2}found "a_b", expected/,
    );
  });
});

describe("permissions", () => {
  it.skipIf(process.getuid?.() === 0)("a file that cannot be read is an error", async () => {
    const folder = writeFiles(tinyDirectory());
    execFileSync("chmod", ["000", join(folder, PLACES.listing)]);
    const { problems } = await readPublished(folder);
    expect(problems).toEqual([
      "listings/single/gamma.json:1:1  $  cannot be read, permission denied (EACCES)",
    ]);
  });
});
