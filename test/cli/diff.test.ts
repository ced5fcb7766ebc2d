import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { build } from "../../src/build/build.js";
import { aListing, aPublishedDirectory, aScan, writePublished } from "../fixtures.js";
import { builtStore, manyListings } from "../store/trees.js";
import { crawldex } from "./spawned.js";

describe("crawldex diff", () => {
  it("prints a line for each host, and with --json one object of three sorted lists", async () => {
    const { folder, store, result } = await builtStore(manyListings(2));
    const next = aPublishedDirectory({
      listings: [aListing({ host: "site-0.example" }), aListing({ host: "new.example" })],
      scans: [aScan({ host: "site-0.example" }), aScan({ host: "new.example" })],
    });
    const { id } = await build(await writePublished(join(folder, "next"), next), {
      store: store,
      jobs: 1,
      keep: 2,
    });
    const prefix = result.id.slice(0, 6);
    expect(await crawldex(["diff", prefix, "--store", store])).toEqual({
      code: 0,
      stdout: "+ new.example\n~ site-0.example\n- site-1.example\n1 added, 1 changed, 1 removed\n",
      stderr: "",
    });
    const json = await crawldex(["diff", id, prefix, "--store", store, "--json"]);
    expect(JSON.parse(json.stdout)).toEqual({
      ok: true,
      added: ["site-1.example"],
      changed: ["site-0.example"],
      removed: ["new.example"],
    });
  });
});
