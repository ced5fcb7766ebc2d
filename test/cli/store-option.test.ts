import { access, rename } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { program } from "../../cli/program.js";
import { aPublishedDirectory, temporaryFolder, writePublished } from "../fixtures.js";
import { someOf } from "../slow.js";
import { builtStore } from "../store/trees.js";
import { crawldex } from "./spawned.js";

/** Command lines that read a store, without its name. */
const READING = [["verify"], ["explain", "example.com"], ["export", "site"], ["diff"]];
const WITH_ARGUMENT = ["serve", "verify", "rollback", "snapshots"];

/** A folder with a published directory, and a store of it called `mine`. */
async function aStoreCalledMine() {
  const { folder, result } = await builtStore(aPublishedDirectory());
  await rename(join(folder, "store"), join(folder, "mine"));
  return { folder, id: result.id };
}

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

  it.each(someOf(READING, 2))(
    "is found by --store, CRAWLDEX_STORE or its usual name: %s",
    async (...words) => {
      const { folder, id } = await aStoreCalledMine();
      const args = words[0] === "diff" ? ["diff", id] : words;
      expect((await crawldex([...args, "--store", "mine"], folder)).code).toBe(0);
      expect((await crawldex(args, folder, { CRAWLDEX_STORE: "mine" })).code).toBe(0);
      expect((await crawldex(args, folder)).code).toBe(1);
      const both = await crawldex([...args, "--store", "mine"], folder, { CRAWLDEX_STORE: "none" });
      expect(both.code).toBe(0);
      await rename(join(folder, "mine"), join(folder, "snapshots"));
      expect((await crawldex(args, folder)).code).toBe(0);
    },
  );

  it.each([
    ["--store", {}],
    ["--out", {}],
    [null, { CRAWLDEX_STORE: "mine" }],
    ["-o", { CRAWLDEX_STORE: "none" }],
  ])("is written by build: %s %j", async (option, env) => {
    const folder = await temporaryFolder();
    await writePublished(join(folder, "published"), aPublishedDirectory());
    const words = option === null ? [] : [option, "mine"];
    expect((await crawldex(["build", "published", ...words], folder, env)).code).toBe(0);
    await access(join(folder, "mine/current.json"));
  });

  it.each([
    [["serve", "a", "--store", "b"]],
    [["verify", "a", "--store", "b"]],
    [["rollback", "a", "--store", "a"]],
    [["build", "in", "--store", "a", "-o", "b"]],
    [["build", "in", "--out", "a", "-o", "b"]],
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
