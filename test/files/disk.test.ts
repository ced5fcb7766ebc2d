import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { calls } from "../../src/files/calls.js";
import { disk } from "../../src/files/disk.js";
import { temporaryFolder } from "../fixtures.js";

it("a file of any size is copied whole where a file system has no second names", async () => {
  const { link } = calls;
  calls.link = () => {
    throw new Error("EPERM");
  };
  onTestFinished(() => {
    calls.link = link;
  });
  const folder = await temporaryFolder();
  const [from, to] = [join(folder, "from"), join(folder, "to")];
  const bytes = Buffer.alloc(2_500_000, "0123456789abc");
  await writeFile(from, bytes);
  await writeFile(to, "before");
  await disk.link(from, to);
  expect(bytes.equals(await readFile(to))).toBe(true);
});
