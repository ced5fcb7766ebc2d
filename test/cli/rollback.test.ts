import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { currentId } from "../../src/store/reader.js";
import { aListing, aScan } from "../fixtures.js";
import { aStore, named } from "../store/stores.js";
import { treeOf } from "../store/trees.js";
import { crawldex } from "./spawned.js";

describe("crawldex rollback", () => {
  it(
    "makes the previous snapshot current again, after the changed addresses are in --purge-list, and " +
      "runs --then",
    async () => {
      const { folder, store, builds } = await aStore(named("One"), named("Two"));
      const late = await crawldex(["rollback", store, "--purge-list", "none/purge.txt"], folder);
      expect([late.code, await currentId(store)]).toEqual([1, builds[1]]);
      expect(late.stderr).toContain("its folder does not exist");
      const options = ["--purge-list", "purge.txt", "--then", "cat > result.json"];
      const done = await crawldex(["rollback", store, ...options], folder);
      const id = await currentId(store);
      expect(builds).not.toContain(id);
      expect(done).toEqual({
        code: 0,
        stdout: [
          `snapshot ${id} is current, with the answers of ${builds[0]} instead of ${builds[1]}`,
          "generation 3",
          "4 reports (4 in search), 2 historical",
          "  go back to their former answers: 1 (example.com)",
          "1 of 1 segments kept from the former snapshot",
          "the next build publishes its input again, with the plans and ownership that have changed since",
          "",
        ].join("\n"),
        stderr: "",
      });
      const lines = (await readFile(join(folder, "purge.txt"), "utf8")).split("\n");
      expect(lines).toContain("https://api.directory.example/api/sites/example.com/report");
      expect(lines).toContain("https://api.directory.example/api/sites?*");
      const result = JSON.parse(await readFile(join(folder, "result.json"), "utf8"));
      expect(result).toMatchObject({ id, replaced: builds[1] });
    },
  );

  it("says that the snapshot stays if nothing may come back, and then what --to is for", async () => {
    const gone = named("Two", { visibility: "removed" });
    const { store, builds } = await aStore(named("One"), gone);
    const { stdout } = await crawldex(["rollback", store]);
    expect(stdout.split("\n").slice(0, 4)).toEqual([
      `snapshot ${builds[1]} stays current: it has all answers of ${builds[0]} that may come back`,
      "generation 2",
      "3 reports (3 in search), 2 historical",
      '  stay away, visibility "removed": 1 (example.com)',
    ]);
    const again = await crawldex(["rollback", store]);
    expect(again.code).toBe(1);
    expect(again.stderr).toBe(
      `error: ${store} was rolled back to ${builds[0]}, and has no earlier snapshot to roll back to; ` +
        "--to names any other; crawldex build --keep sets how many snapshots stay\n",
    );
  });

  it("names the first hosts that come back, stay withheld, stay away or disappear, each with the reason", async () => {
    const former = named("One", {}, 20);
    const today = named("Two", { visibility: "blocked" }, 3);
    today.listings[0] = { ...today.listings[0]!, visibility: "removed" };
    today.listings.push(aListing({ host: "new.example" }));
    today.scans.push(aScan({ host: "new.example" }));
    const { store } = await aStore(former, today);
    const { stdout } = await crawldex(["rollback", store]);
    const missing = Array.from({ length: 17 }, (_, n) => `site-${n + 3}.example`).sort();
    expect(stdout.split("\n").filter((line) => line.startsWith("  "))).toEqual([
      '  stay withheld, visibility "blocked": 1 (example.com)',
      '  stay away, visibility "removed": 1 (site-0.example)',
      "  stay away, missing from the last build's input (--restore-missing brings them back): 17 " +
        `(${missing.slice(0, 10).join(", ")} and 7 more)`,
      "  disappear, not in the former snapshot: 1 (new.example)",
    ]);
  });

  it("--dry-run says what would come back and what would stay away, and changes nothing", async () => {
    const { folder, store, builds } = await aStore(
      named("One"),
      named("Two"),
      named("Three", {}, 2),
    );
    const before = await treeOf(store);
    const asked = ["rollback", store, "--to", builds[0]!.slice(0, 8)];
    const dry = await crawldex([...asked, "--dry-run"]);
    expect(dry.stdout.split("\n")).toEqual([
      `dry run: nothing was published; rolling back from ${builds[2]} to ${builds[0]} would give`,
      "3 reports (3 in search), 1 historical",
      "  go back to their former answers: 1 (example.com)",
      "  stay away, missing from the last build's input (--restore-missing brings them back): 1 (site-2.example)",
      "0 of 1 segments kept from the former snapshot",
      "",
    ]);
    expect(await treeOf(store)).toEqual(before);
    const would = await crawldex([...asked, "--dry-run", "--json"]);
    const { id, ...did } = JSON.parse((await crawldex([...asked, "--json"])).stdout);
    // Its id depends on the time, which its changes name.
    expect(JSON.parse(would.stdout)).toEqual({ ...did, dryRun: true, id: expect.any(String) });
    expect(id).toBe(await currentId(store));
    const both = await crawldex(["rollback", "--dry-run", "--purge-list", "purge.txt"], folder);
    expect(both.code).toBe(2);
  });
});
