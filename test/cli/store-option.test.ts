import { access, rename } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { program } from "../../cli/program.js";
import { aPublishedDirectory } from "../fixtures.js";
import { builtStore } from "../store/trees.js";
import { crawldex } from "./spawned.js";

const WITH_ARGUMENT = ["serve", "verify", "rollback", "snapshots"];

describe("the store", () => {
  it("is named by --store in every command that has one, and by the argument of some", () => {
    const withStore = program.commands.filter(({ options }) =>
      options.some(({ long }) => long === "--store"),
    );
    expect(withStore.map((command) => command.name())).toEqual(
      expect.arrayContaining(["build", "serve", "export", "verify", "diff", "rollback", "explain"]),
    );
    for (const command of withStore) {
      const option = command.options.find(({ long }) => long === "--store");
      expect([option?.flags, option?.envVar]).toEqual(["--store <folder>", "CRAWLDEX_STORE"]);
      const [first] = command.registeredArguments;
      expect(first?.name() === "store").toBe(WITH_ARGUMENT.includes(command.name()));
    }
  });

  it("is found by --store, CRAWLDEX_STORE or its usual name", async () => {
    const { folder } = await builtStore(aPublishedDirectory());
    await rename(join(folder, "store"), join(folder, "mine"));
    const verify = async (words: string[], env: NodeJS.ProcessEnv = {}) =>
      (await crawldex(["verify", ...words], folder, env)).code;
    expect(await verify(["--store", "mine"])).toBe(0);
    expect(await verify(["mine"])).toBe(0);
    expect(await verify([], { CRAWLDEX_STORE: "mine" })).toBe(0);
    expect(await verify([])).toBe(1);
    expect(await verify(["--store", "mine"], { CRAWLDEX_STORE: "none" })).toBe(0);
    await rename(join(folder, "mine"), join(folder, "snapshots"));
    expect(await verify([])).toBe(0);
    const elsewhere = { CRAWLDEX_STORE: "none" };
    expect((await crawldex(["build", "published", "-o", "other"], folder, elsewhere)).code).toBe(0);
    await access(join(folder, "other/current.json"));
  });

  it.each([
    [["serve", "a", "--store", "b"]],
    [["rollback", "a", "--store", "a"]],
    [["build", "in", "--store", "a", "-o", "b"]],
    [["explain", "--store", "a", "--store", "b"]],
  ])("cannot be named twice: %j", async (args) => {
    const { code, stderr } = await crawldex(args);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: the store is given twice: a and [ab]\n/);
  });

  it("has a name that is not empty", async () => {
    const { code, stderr } = await crawldex(["verify"], undefined, { CRAWLDEX_STORE: "" });
    expect(code).toBe(2);
    expect(stderr).toContain("from env 'CRAWLDEX_STORE' is invalid. It is empty.");
  });
});
