import { execFile, spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { changeShown, writeShown } from "../../.build/pages/directory.js";
import { PAGE_KINDS, pageKinds } from "../../.build/pages/kinds.js";
import { serveDirectory } from "../../.build/pages/served.js";
import { temporaryFolder } from "../fixtures.js";
import { npmModules } from "../stores/servers/installed.js";
import { Unavailable } from "../stores/servers/processes.js";

const run = promisify(execFile);
const PACKAGES = fileURLToPath(new URL("packages", import.meta.url));
const OUTPUT_BYTES = 2 ** 26;

/** The path of the Nu Html Checker; or why it cannot run here. */
async function checker(): Promise<{ readonly jar: string } | { readonly missing: string }> {
  if (spawnSync("java", ["-version"]).status !== 0) return { missing: "there is no Java" };
  try {
    return { jar: join(await npmModules(PACKAGES), "vnu-jar/build/dist/vnu.jar") };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { missing: error.message };
  }
}

const found = await checker();
if ("missing" in found) {
  process.stderr.write(`SKIPPED, the check of pages against the HTML standard: ${found.missing}\n`);
}

interface Message {
  readonly type: string;
  readonly url: string;
  readonly message: string;
  readonly extract?: string;
}

describe.skipIf("missing" in found)("the Nu Html Checker", () => {
  it("finds no error and no warning in any kind of page", async () => {
    if ("missing" in found) return;
    const directory = await serveDirectory(writeShown, changeShown);
    onTestFinished(() => directory.stop());
    const folder = await temporaryFolder(onTestFinished);
    const kinds = await pageKinds(directory.store, directory.url);
    expect(kinds.map(({ name }) => name)).toEqual(PAGE_KINDS);
    const files: string[] = [];
    for (const { name, path } of kinds) {
      const headers = { accept: "text/html" };
      const page = await fetch(directory.url + path, { headers });
      const file = join(folder, `${name}.html`);
      // Names of sites are written as their publisher has them, in any form of Unicode.
      await writeFile(file, (await page.text()).normalize("NFC"));
      files.push(file);
    }
    const words = ["-jar", found.jar, "--format", "json", "--exit-zero-always", ...files];
    const { stderr } = await run("java", words, { maxBuffer: OUTPUT_BYTES });
    const { messages } = JSON.parse(stderr) as { messages: readonly Message[] };
    const told = messages.map(
      ({ url, message, extract = "" }) => `${url.replace(/.*\//, "")}: ${message} ${extract}`,
    );
    expect([...new Set(told)]).toEqual([]);
  });
});
