import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { aListing, aPublishedDirectory, temporaryFolder, writePublished } from "../fixtures.js";
import { crawldex } from "./spawned.js";

/** What a terminal would act upon, turn or hide; line ends aside. */
const RAW = /[^\P{C}\n]|[\u2028\u2029]/u;
const EVIL = "\u001b[2J\u009b31m\u202e\u2066\u{e0041}\u007f";

async function aPublished() {
  const folder = await temporaryFolder();
  const published = await writePublished(join(folder, "published"), aPublishedDirectory());
  return { folder, published, store: join(folder, "store") };
}

const WARNING =
  'warning: listings/all.ndjson:1:112  $.status  found "active", which the search cannot filter ' +
  'by: it knows only "unclaimed" and "claimed" [status-unusual]\n';

async function warned() {
  const made = await aPublished();
  const listings = [aListing({ status: "active" })];
  await writePublished(made.published, aPublishedDirectory({ listings }));
  return made;
}

describe("errors and warnings", () => {
  it("begin with the word and end with both counts", async () => {
    const { folder, published, store } = await warned();
    const built = await crawldex(["build", published, "--out", store]);
    expect(built.code).toBe(0);
    expect(built.stderr).toBe(`${WARNING}0 errors, 1 warning\n`);
    await writeFile(join(published, "listings/bad.json"), "{");
    const bad = await crawldex(["validate", "published"], folder);
    expect(bad.code).toBe(3);
    expect(bad.stderr).toBe(
      `${WARNING}error: listings/bad.json:1:2  $  is not JSON: found the end, expected \`}\` [json-wrong]\n1 error, ` +
        "1 warning; nothing was written\n",
    );
    const quiet = await crawldex(["validate", published, "--quiet"]);
    expect(quiet.stderr).toMatch(/^error: .*\n1 error, 1 warning; nothing was written\n$/);
    const json = await crawldex(["validate", published, "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, problemCount: 1, warningCount: 1 });
  });

  it("take a line for each kind, so that all kinds are seen, and --json has every one", async () => {
    const { folder, published } = await aPublished();
    const hosts = Array.from({ length: 60 }, (_, n) => `Site-${n}.example`);
    const lines = (record: (host: string, n: number) => object) =>
      hosts.map((host, n) => JSON.stringify(record(host, n))).join("\n");
    await writeFile(
      join(published, "listings/naive.ndjson"),
      lines((host) => ({ host, url: host, status: "unclaimed" })),
    );
    const finishedAt = "2026-01-05 12:00:00";
    await mkdir(join(published, "scans/2026"));
    await writeFile(
      join(published, "scans/2026/naive.ndjson"),
      lines((host, id) => ({ host, id, status: "complete", finishedAt, score: id % 2 ? "7" : "" })),
    );
    await Promise.all(hosts.map((host) => writeFile(join(published, "scans", `${host}.txt`), "")));
    const { code, stderr } = await crawldex(["validate", "published"], folder);
    expect(code).toBe(3);
    const canonical = 'found "Site-0.example", expected the canonical form "site-0.example"';
    const expected = [
      [
        "warning",
        "scans/*.txt $",
        /^is not read, .*; first at scans\/Site-0\.example\.txt:1:1 \[file-unread]$/,
      ],
      [
        "error",
        "listings/*.ndjson $.host",
        `${canonical}; first at listings/naive.ndjson:1:9 [host-not-canonical]`,
      ],
      [
        "error",
        "listings/*.ndjson $.url",
        /^found "Site-0\.example", expected an http: .*:1:32 \[value-wrong]$/,
      ],
      [
        "error",
        "scans/**/*.ndjson $.host",
        `${canonical}; first at scans/2026/naive.ndjson:1:9 [host-not-canonical]`,
      ],
      ["error", "scans/**/*.ndjson $.id", /^found 0, expected a scan id: .*:1:31 \[value-wrong]$/],
      [
        "error",
        "scans/**/*.ndjson $.finishedAt",
        /^found "2026-01-05 12:00:00", expected .*:1:66 \[value-wrong]$/,
      ],
      [
        "error",
        "scans/**/*.ndjson $.score",
        /^found "", expected a whole number from 0 .*:1:96 \[value-wrong]$/,
      ],
    ] as const;
    // A slow machine also prints its progress.
    const linesOf = (text: string) => text.match(/^(?:error|warning|360).*$/gm) ?? [];
    const found = linesOf(stderr);
    expect(found.at(-1)).toBe("360 errors, 60 warnings; nothing was written");
    for (const [at, [kind, where, what]] of expected.entries()) {
      const line = found[at] ?? "";
      expect(line.startsWith(`${kind}: 60 x ${where}: `), line).toBe(true);
      const rest = line.slice(`${kind}: 60 x ${where}: `.length);
      if (typeof what === "string") expect(rest).toBe(what);
      else expect(rest).toMatch(what);
    }
    expect(found).toHaveLength(expected.length + 1);
    const json = await crawldex(["validate", published, "--json", "--jobs", "2"]);
    const { problems, warnings } = JSON.parse(json.stdout) as Record<string, unknown[]>;
    expect([problems?.length, warnings?.length]).toEqual([360, 60]);
    expect(linesOf(json.stderr)).toEqual(found);
    const actions = { GITHUB_ACTIONS: "true" };
    const annotated = (await crawldex(["validate", "published"], folder, actions)).stderr;
    expect(
      annotated.match(/^::error file=published\/scans\/2026\/naive.ndjson,line=1,/gm),
    ).toHaveLength(4);
  });

  it("become errors with --strict: exit 3, and nothing is published", async () => {
    const { published, store } = await warned();
    for (const args of [
      ["build", published, "--out", store],
      ["validate", published],
    ]) {
      const { code, stderr } = await crawldex([...args, "--strict"]);
      expect(code).toBe(3);
      expect(stderr).toBe(
        `${WARNING.replace("warning", "error")}1 error, 0 warnings; nothing was written\n`,
      );
    }
    expect((await crawldex(["verify", store])).code).not.toBe(0);
    const json = await crawldex(["validate", published, "--strict", "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ ok: false, problemCount: 1, warnings: [] });
  });
});

describe("--accept", () => {
  it("of a code, given several times, counts warnings in place of showing them", async () => {
    const { folder, published, store } = await warned();
    await writeFile(join(published, "notes.txt"), "");
    const strict = ["published", "--strict", "--accept", "status-unusual"];
    const one = await crawldex(["validate", ...strict], folder);
    expect(one.code).toBe(3);
    expect(one.stderr).toMatch(
      /^error: notes\.txt:1:1 {2}\$ {2}is not read, .*\n1 warning accepted: status-unusual\n1 error, 0 warnings;/,
    );
    const both = [...strict, "--accept", "file-unread"];
    const accepted = "2 warnings accepted: file-unread, status-unusual\n";
    for (const command of [["validate"], ["build", "--out", store], ["build", "--dry-run"]]) {
      const { code, stderr } = await crawldex([...command, ...both], folder);
      expect([command, code, stderr]).toEqual([command, 0, accepted]);
    }
    expect((await crawldex(["validate", ...both, "--quiet"], folder)).stderr).toBe("");
    const json = { acceptedCount: 2, acceptedCodes: ["file-unread", "status-unusual"] };
    for (const command of ["validate", "build"]) {
      const { stdout } = await crawldex([command, ...both, "--json"], folder);
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, warnings: [], ...json });
    }
    await writeFile(join(published, "listings/bad.json"), "{");
    const bad = JSON.parse((await crawldex(["validate", ...both, "--json"], folder)).stdout);
    expect(bad).toMatchObject({ ok: false, problems: [{ code: "json-wrong" }], ...json });
  });

  it("takes only codes of warnings, and names the nearest", async () => {
    const { folder } = await aPublished();
    const typo = await crawldex(["validate", "published", "--accept", "file-unred"], folder);
    expect([typo.code, typo.stderr]).toEqual([
      2,
      "error: option '--accept <code>' argument 'file-unred' is invalid. It must be the code of a " +
        'warning, such as file-unread; did you mean "file-unread"?\n(see --help)\n',
    ]);
    const error = await crawldex(["build", "published", "--accept", "json-wrong"], folder);
    expect([error.code, error.stderr]).toEqual([
      2,
      expect.stringContaining("the code of a warning, such as file-unread.\n"),
    ]);
  });

  it("is refused by a preview of a tree, which has no warnings", async () => {
    const { folder } = await aPublished();
    const accept = ["--accept", "file-unread"];
    const tree = await crawldex(["preview", ".", ...accept], folder);
    expect([tree.code, tree.stderr]).toEqual([
      2,
      expect.stringContaining("--accept is for a published directory"),
    ]);
  });
});

describe("in GitHub Actions", () => {
  const env = (folder: string) => ({ GITHUB_ACTIONS: "true", GITHUB_WORKSPACE: folder });

  it("errors and warnings are also annotations, and stdout has only the JSON", async () => {
    const { folder, published } = await warned();
    await writeFile(join(published, "listings/50%, a:b\n.json"), '{"##[stop-commands]x": 1}');
    const { code, stdout, stderr } = await crawldex(
      ["validate", ".", "--json"],
      published,
      env(folder),
    );
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, warningCount: 1 });
    const lines = stderr.split("\n");
    expect(lines).toContain(
      "::warning file=published/listings/all.ndjson,line=1,col=112,title=status-unusual::$.status  found " +
        '"active", which the search cannot filter by: it knows only "unclaimed" and "claimed"',
    );
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^::error file=published\/listings\/50%25%2C a%3Ab%0A\.json,line=1,col=2,title=field-unknown::\$\["##\[stop-commands\]x"\] {2}is not a known key/,
      ),
    );
    expect(lines.filter((line) => !line.startsWith("::")).join("\n")).not.toContain("##[");
    expect(lines.filter((line) => line.startsWith("::"))).toHaveLength(5);
  });

  it("an error without a place is an annotation too; a path outside the repository stays whole", async () => {
    const { folder, published } = await warned();
    const missing = await crawldex(["build", join(folder, "100%")], folder, env(folder));
    const said = (path: string) =>
      `the published folder ${path} does not exist (ENOENT); crawldex init ${path} writes a minimal ` +
      "one to start from\n";
    expect(missing.stderr).toBe(
      `error: ${said(`${folder}/100%`)}::error::${said(`${folder}/100%25`)}`,
    );
    const outside = await crawldex(
      ["validate", published],
      folder,
      env(join(folder, "repository")),
    );
    expect(outside.stderr).toContain(`::warning file=${published}/listings/all.ndjson,line=1`);
  });
});

describe("a folder that is not a published directory", () => {
  it("is named in one line, with what it lacks and a pointer to init, and exit 3", async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder, "empty"));
    await mkdir(join(folder, "other/scans"), { recursive: true });
    await writeFile(join(folder, "file"), "");
    await symlink("nowhere", join(folder, "link"));
    const said = {
      empty: "is not ",
      other: ".* it lacks directory.json, standards.json, taxonomy.json, listings; crawldex init ",
      file: "is not ",
      link: "(?:is not|does not exist) ",
      none: "does not exist \\(ENOENT\\); crawldex init none writes",
    };
    for (const [name, how] of Object.entries(said)) {
      const { code, stdout, stderr } = await crawldex(["build", name, "--out", "store"], folder);
      expect([code, stdout]).toEqual([3, ""]);
      expect(stderr).toMatch(new RegExp(`^error: the published folder ${name} ${how}.+\n$`));
    }
  });

  it("or lacks listings/ or scans/ gives an error that names the remedy", async () => {
    const { published, store } = await aPublished();
    await rm(join(published, "listings"), { recursive: true });
    const { code, stderr } = await crawldex(["build", published, "--out", store]);
    expect(code).toBe(3);
    expect(stderr).toBe(
      "error: listings:1:1  $  is missing, expected a folder of listings; if there are none, make an " +
        "empty folder [part-missing]\n1 error, 0 warnings; nothing was written\n",
    );
  });
});

/** A folder with a store, which no test changes. */
let built: Promise<string> | undefined;
function builtFolder(): Promise<string> {
  built ??= (async () => {
    const folder = await temporaryFolder((remove) => afterAll(remove));
    const published = await writePublished(join(folder, "published"), aPublishedDirectory());
    await crawldex(["build", published, "--out", join(folder, "snapshots")]);
    return folder;
  })();
  return built;
}

describe("arguments and input are printed as plain text, whatever they contain", () => {
  it.each([
    [["build", "a", `--what${EVIL}`]],
    [[`buidl${EVIL}`]],
    [["explain", `https://example.com/${EVIL}\nsnapshot 0`]],
    [["diff", `abcdef${EVIL}`]],
    [["build", `a${EVIL}\n::error::b`]],
    [["verify", EVIL]],
    [["export", EVIL, "--store", EVIL]],
  ])("%j", async (args) => {
    const folder = await builtFolder();
    for (const more of [[], ["--json"]]) {
      const { stdout, stderr } = await crawldex([...args, ...more], folder);
      expect(stdout).not.toMatch(RAW);
      expect(stderr).not.toMatch(RAW);
      expect(stderr).not.toMatch(/^::/m);
      expect(stdout + stderr).toContain("\\u");
    }
  });

  it("validate --json: escapes mean the same characters", async () => {
    const { published } = await aPublished();
    const name = `${EVIL}.json`;
    await writeFile(join(published, "listings", name), `{"${EVIL}": 1}`);
    await writeFile(join(published, "scans", `${EVIL}.txt`), "");
    const { stdout, stderr } = await crawldex(["validate", published, "--json"]);
    expect(stdout + stderr).not.toMatch(RAW);
    const result = JSON.parse(stdout) as Record<"problems" | "warnings", { file: string }[]>;
    expect(new Set(result.problems.map(({ file }) => file))).toEqual(new Set([`listings/${name}`]));
    expect(result.warnings.map(({ file }) => file)).toEqual([`scans/${EVIL}.txt`]);
  });
});
