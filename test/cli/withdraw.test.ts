import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { currentId } from "../../src/store/reader.js";
import { writePublished } from "../fixtures.js";
import { aStore, named, nameIn } from "../store/stores.js";
import { manyListings } from "../store/trees.js";
import { crawldex } from "./spawned.js";

describe("crawldex withdraw", () => {
  it("takes a site down, writes --purge-list, runs --then, and says what still has it", async () => {
    const { folder, store, builds } = await aStore(named("One"));
    const options = ["--store", store, "--purge-list", "purge.txt", "--then", "cat > result.json"];
    const done = await crawldex(["withdraw", "https://www.Example.com/a", ...options], folder);
    const id = await currentId(store);
    expect(done).toEqual({
      code: 0,
      stdout: [
        "example.com: its answers are taken down",
        `snapshot ${id} is current`,
        "generation 2",
        "3 reports (3 in search), 2 historical",
        "0 of 1 segments kept",
        `1 former snapshot, which nobody serves, still has the hosts: ${builds[0]} (generation 1); ` +
          "a build deletes those beyond its --keep, and a run with --keep 1 all of them",
        "exported trees, buckets and replicas have the hosts until the next export, push or pull; caches, " +
          "until you purge them",
        'state "visibility": "removed" in the published directory, too: a build into another store does ' +
          "not know of this",
        "",
      ].join("\n"),
      stderr: "",
    });
    const lines = (await readFile(join(folder, "purge.txt"), "utf8")).split("\n");
    expect(lines).toContain("https://api.directory.example/api/sites/example.com/report");
    const result = JSON.parse(await readFile(join(folder, "result.json"), "utf8"));
    expect(result).toMatchObject({ id, replaced: builds[0] });
  });

  it("works while the published directory has errors, and the build's error names it", async () => {
    const { folder, store } = await aStore(named("One"));
    const published = join(folder, "published-0");
    await writeFile(join(published, "listings/zz.ndjson"), '{"host": "broken"}\n');
    const bad = await crawldex(["build", published, "--store", store]);
    expect(bad.code).toBe(3);
    expect(bad.stderr).toMatch(
      /nothing was written; to take a site down at once all the same: crawldex withdraw <host>\n$/,
    );
    const json = await crawldex(["build", published, "--store", store, "--json"]);
    expect(JSON.parse(json.stdout).error).toContain("crawldex withdraw <host>");
    expect((await crawldex(["withdraw", "example.com", "--store", store])).code).toBe(0);
    expect(await nameIn(store)).toBeUndefined();
    const fresh = await crawldex(["build", published, "--store", join(folder, "fresh")]);
    expect([fresh.code, fresh.stderr.includes("withdraw")]).toEqual([3, false]);
  });

  it("is named by a build that refuses to remove many listings", async () => {
    const { folder, store } = await aStore(manyListings());
    const empty = { ...manyListings(), listings: [], scans: [] };
    const published = await writePublished(join(folder, "empty"), empty);
    const refused = await crawldex(["build", published, "--store", store]);
    expect(refused.code).toBe(6);
    expect(refused.stderr).toContain("crawldex withdraw <host>");
  });

  it("refuses what is no host with exit code 2, and changes nothing", async () => {
    const { store } = await aStore(named("One"));
    const id = await currentId(store);
    const { code, stderr } = await crawldex(["withdraw", "example.com", "a b", "--store", store]);
    expect([code, await currentId(store)]).toEqual([2, id]);
    expect(stderr).toContain("It is neither a host nor an address that contains one.");
  });

  it("says with --dry-run what would go, and with --restore what comes back", async () => {
    const { store } = await aStore(named("One"));
    const on = ["--store", store];
    const dry = await crawldex(["withdraw", "example.com", "--dry-run", ...on]);
    expect(dry.stdout.split("\n").slice(0, 2)).toEqual([
      "example.com: its answers are taken down",
      "dry run: nothing was published",
    ]);
    expect(await nameIn(store)).toBe("One");
    await crawldex(["withdraw", "example.com", ...on]);
    const lifted = await crawldex(["withdraw", "--restore", "example.com", ...on]);
    expect(lifted.stdout.split("\n")[0]).toBe(
      "example.com: the withdrawal is lifted; the next build publishes it if the published directory lists it",
    );
  });

  it("with --keep 1 says until when the former snapshots stay, as a build does", async () => {
    const { folder, store, builds } = await aStore(named("One"));
    const on = ["--store", store, "--keep", "1"];
    const stays = (id?: string) =>
      new RegExp(
        `former snapshot ${id} stays until \\d{4}-[-0-9:.T]+Z, since servers may still read it`,
      );
    expect((await crawldex(["withdraw", "example.com", ...on])).stdout).toMatch(stays(builds[0]));
    const before = await currentId(store);
    const removed = named("One", { visibility: "removed" });
    const published = await writePublished(join(folder, "removed"), removed);
    const built = await crawldex(["build", published, ...on]);
    expect([built.code, built.stdout]).toEqual([0, expect.stringMatching(stays(before ?? ""))]);
  });
});

describe("a dry run of a build", () => {
  it("names no snapshot that the build would not have, and the current one if it stays", async () => {
    const { folder, store, builds } = await aStore(named("One"));
    const next = await writePublished(join(folder, "next"), named("Two"));
    const args = ["--store", store, "--dry-run"];
    const dry = await crawldex(["build", next, ...args]);
    expect(dry.stdout.split("\n")[0]).toBe(
      "dry run: another snapshot would be current; nothing was published",
    );
    const json = await crawldex(["build", next, ...args, "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ id: null, changed: true, dryRun: true });
    const same = await crawldex(["build", join(folder, "published-0"), ...args, "--json"]);
    expect(JSON.parse(same.stdout)).toMatchObject({ id: builds[0], changed: false });
  });
});
