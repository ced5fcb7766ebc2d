import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { currentId } from "../../src/store/reader.js";
import { aPublishedDirectory, temporaryFolder, writePublished } from "../fixtures.js";
import { crawldex, crawldexProcess } from "./spawned.js";

async function aPublished() {
  const folder = await temporaryFolder();
  await writePublished(join(folder, "published"), aPublishedDirectory());
  return folder;
}
const savedIn = async (folder: string) =>
  JSON.parse(await readFile(join(folder, "result.json"), "utf8")) as object;

describe("--then", () => {
  it("runs a command after a build with the object of --json on its input, and again if nothing changed", async () => {
    const folder = await aPublished();
    const build = ["build", "published", "--then", "cat > result.json; echo printed"];
    const first = await crawldexProcess([...build, "--json"], folder);
    expect(first.code).toBe(0);
    // What the command prints is not part of the result.
    expect(first.stderr).toContain("printed\n");
    expect(await savedIn(folder)).toEqual(JSON.parse(first.stdout));
    expect(await savedIn(folder)).toMatchObject({ ok: true, changed: true, changes: { added: 1 } });
    const second = await crawldex(build, folder);
    expect(second.stdout).toMatch(/^snapshot [0-9a-f]{32} was already current\n/);
    expect(await savedIn(folder)).toMatchObject({ ok: true, changed: false });
  });

  it("exits 1 if the command fails, and says that the snapshot is current all the same", async () => {
    const folder = await aPublished();
    const failing = await crawldex(["build", "published", "--then", "exit 3"], folder);
    const id = await currentId(join(folder, "snapshots"));
    expect(failing.code).toBe(1);
    expect(failing.stdout).toMatch(`snapshot ${id} is current\n`);
    const said = `snapshot ${id} is current, but --then failed: it exited with 3`;
    expect(failing.stderr).toBe(`error: ${said}\n`);
    const json = await crawldex(["build", "published", "--json", "--then", "kill $$"], folder);
    expect(json.code).toBe(1);
    const ended = said.replace("it exited with 3", "it was ended by SIGTERM");
    expect(JSON.parse(json.stdout)).toEqual({ ok: false, error: ended });
  });

  it("does not run after a build that fails, and cannot be combined with --dry-run", async () => {
    const folder = await aPublished();
    const bad = await crawldex(["build", "none", "--then", "echo > result.json"], folder);
    expect(bad.code).toBe(3);
    const dry = ["build", "published", "--dry-run", "--then", "echo > result.json"];
    expect((await crawldex(dry, folder)).code).toBe(2);
    await expect(savedIn(folder)).rejects.toThrow("ENOENT");
  });
});
