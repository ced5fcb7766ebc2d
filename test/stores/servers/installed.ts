import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Unavailable } from "./processes.js";

const run = promisify(execFile);
const PACKAGES = fileURLToPath(new URL("../packages", import.meta.url));

/** Unpacked servers stay here, outside of `node_modules`, which `npm ci` empties: only the first run downloads them. */
const CACHE =
  process.env.CRAWLDEX_STORES_CACHE ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "crawldex-stores");
const DOWNLOAD_MS = 300_000;
const OUTPUT_BYTES = 2 ** 24;
const DONE = ".complete";

/**
 * Unpacks Debian packages, and the packages they need that this machine lacks, into a folder of the cache. It
 * needs no root and changes nothing outside of the folder, except that root gets new lists of packages if there are
 * none.
 * @returns the folder, which has `usr`, `etc` and so on
 * @throws Unavailable without apt, without the packages, or offline
 */
export function debianRoot(name: string, packages: readonly string[]): Promise<string> {
  return cached(`debian-${name}`, async (folder) => {
    const apt = (...args: string[]) => must("apt-get", args, folder);
    const simulate = () =>
      apt("install", "-s", "--no-install-recommends", "--reinstall", ...packages);
    const plan = await simulate().catch(async (error: unknown) => {
      // A container's lists of packages may be empty.
      if (process.getuid?.() !== 0) throw error;
      await apt("update");
      return simulate();
    });
    const needed = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, one = ""]) => one);
    await apt("download", ...needed);
    for (const file of await readdir(folder)) {
      if (!file.endsWith(".deb")) continue;
      await must("dpkg", ["-x", file, "root"], folder);
      await rm(join(folder, file));
    }
  }).then((folder) => join(folder, "root"));
}

/**
 * Installs npm packages into the cache.
 * @param packages the folder with their package.json and package-lock.json. Default: `test/stores/packages`
 * @returns the folder `node_modules` that they are in
 * @throws Unavailable offline
 */
export async function npmModules(packages = PACKAGES): Promise<string> {
  const files = ["package.json", "package-lock.json"];
  const texts = await Promise.all(files.map((name) => readFile(join(packages, name))));
  const digest = createHash("sha256").update(Buffer.concat(texts)).digest("hex").slice(0, 16);
  const folder = await cached(`npm-${digest}`, async (made) => {
    for (const name of files) await cp(join(packages, name), join(made, name));
    await must("npm", ["ci", "--prefix", made, "--no-audit", "--no-fund"], made);
  });
  return join(folder, "node_modules");
}

type Fill = (folder: string) => Promise<void>;

const filling = new Map<string, Promise<string>>();

/** A folder of the cache that `fill` has filled, now or in an earlier run; half a folder is never left there. */
function cached(name: string, fill: Fill): Promise<string> {
  const folder = filling.get(name) ?? fillOnce(name, fill);
  filling.set(name, folder);
  return folder;
}

async function fillOnce(name: string, fill: Fill): Promise<string> {
  const place = join(CACHE, name);
  const isComplete = () =>
    readFile(join(place, DONE)).then(
      () => true,
      () => false,
    );
  if (await isComplete()) return place;
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, `${name}.`));
  try {
    process.stderr.write(`installs ${name} into ${CACHE}\n`);
    await fill(folder);
    await writeFile(join(folder, DONE), "");
    await rename(folder, place).catch(async (error: unknown) => {
      // Another run was faster.
      if (!(await isComplete())) throw error;
    });
    return place;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function must(command: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    const options = { cwd, timeout: DOWNLOAD_MS, maxBuffer: OUTPUT_BYTES };
    return (await run(command, args, options)).stdout;
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    const lines = (stderr || message).trim().split("\n");
    throw new Unavailable(`${command} ${args[0]} failed: ${lines.slice(-2).join(" ")}`);
  }
}
