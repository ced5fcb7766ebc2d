import { mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "vitest";
import type { HostName } from "../../src/site/layout.js";
import { Unavailable } from "../stores/servers/processes.js";
import { startCloudflare } from "./servers/cloudflare.js";
import { startApache, startCaddy, startNginxHost } from "./servers/debian.js";
import { emulateCloudFront, emulateGitHubPages } from "./servers/emulations.js";
import { startNetlify } from "./servers/netlify.js";
import { startPython, startSirv } from "./servers/own.js";
import type { HostServer } from "./servers/started.js";

/** A server, and the tree that it serves. */
export interface HostCase {
  /** As the docs name it. */
  readonly name: string;
  readonly for: HostName;
  /** @param folder what lies at `/`; `base` is the tree's path below it */
  start(folder: string, base: string): Promise<HostServer>;
}

/** Servers that know nothing of a tree. */
export const PLAIN_HOSTS: readonly HostCase[] = [
  { name: "Python", start: startPython },
  { name: "sirv", start: startSirv },
  { name: "GitHub Pages (emulated)", start: emulateGitHubPages },
  {
    name: "nginx, defaults",
    start: (folder: string) => startNginxHost(async () => `root '${folder}'; index index.html;`),
  },
  {
    name: "Caddy, defaults",
    start: (folder: string) => startCaddy(async () => `root * \`${folder}\`\nfile_server`),
  },
  { name: "Apache, defaults", start: (folder: string) => startApache(folder, false) },
].map((one) => ({ ...one, for: "plain" }));

/** Servers with the rules of an export. */
export const RULED_HOSTS: readonly HostCase[] = [
  {
    name: "nginx",
    for: "nginx",
    start: (folder) =>
      startNginxHost(async () => {
        const server = await readFile(`${folder}.nginx.conf`, "utf8");
        const block = server.slice(server.indexOf("{") + 1, server.lastIndexOf("}"));
        return block.replace(/^ +listen .*;$/gm, "");
      }),
  },
  {
    name: "Caddy",
    for: "caddy",
    start: (folder) => startCaddy(() => readFile(`${folder}.Caddyfile`, "utf8")),
  },
  { name: "Apache", for: "apache", start: (folder) => startApache(folder, true) },
  { name: "Cloudflare", for: "cloudflare", start: startCloudflare },
  { name: "Netlify (its own emulation)", for: "netlify", start: startNetlify },
  { name: "S3 and CloudFront (emulated)", for: "s3", start: emulateCloudFront },
];

/** A folder in which a tree is at `/directory/`. */
export async function belowDirectory(root: string): Promise<string> {
  const folder = `${root}-above`;
  await mkdir(folder, { recursive: true });
  await symlink(root, join(folder, "directory")).catch(() => {});
  return folder;
}

/** A host's server, or why this machine cannot have it. */
export type Started = HostServer | { readonly missing: string };

/** Starts a host; says loudly if it cannot be had. */
export async function startHost(one: HostCase, folder: string, base: string): Promise<Started> {
  try {
    return await one.start(folder, base);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    process.stderr.write(`SKIPPED, all tests on ${one.name}: ${error.message}\n`);
    return { missing: error.message };
  }
}

/** The server of a test; the test is skipped if there is none. */
export function needed(context: TestContext, started: Started | undefined): HostServer {
  if (started === undefined) throw new Error("the host was not started");
  return "missing" in started ? context.skip(`missing: ${started.missing}`) : started;
}
