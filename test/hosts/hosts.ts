import { existsSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import type { TestContext } from "vitest";
import type { HostName } from "../../src/export/layout.js";
import { Unavailable } from "../stores/servers/processes.js";
import { startCloudflare } from "./servers/cloudflare.js";
import { startApache, startCaddy, startNginxHost } from "./servers/debian.js";
import { emulateGitHubPages, emulateS3 } from "./servers/emulations.js";
import { startNetlify } from "./servers/netlify.js";
import { startPython, startSirv } from "./servers/own.js";
import type { HostServer } from "./servers/started.js";

/** Where a tree is published. */
export interface Place {
  /** The tree's folder, beside which its rules may be. */
  readonly tree: string;
  /** What is deployed: the tree, or a folder with the tree in it. */
  readonly folder: string;
  /** The path of the tree, with a slash at both ends. */
  readonly base: string;
}

/** A server, and the tree that it serves. */
export interface HostCase {
  /** As the docs name it. */
  readonly name: string;
  readonly for: HostName;
  start(place: Place): Promise<HostServer>;
}

/** Servers that know nothing of a tree. */
export const PLAIN_HOSTS: readonly HostCase[] = [
  { name: "Python", start: startPython },
  { name: "sirv", start: startSirv },
  { name: "GitHub Pages (emulated)", start: emulateGitHubPages },
  {
    name: "nginx, defaults",
    start: ({ folder }: Place) => startNginxHost(`root '${folder}'; index index.html;`),
  },
  {
    name: "Caddy, defaults",
    start: ({ folder }: Place) => startCaddy(async () => `root * \`${folder}\`\nfile_server`),
  },
  { name: "Apache, defaults", start: ({ folder }: Place) => startApache(folder, false) },
].map((one) => ({ ...one, for: "plain" }));

/** Servers with the rules of an export. */
export const RULED_HOSTS: readonly HostCase[] = [
  {
    name: "nginx",
    for: "nginx",
    start: ({ tree }) => startNginxHost(`include ${tree}.nginx.conf;`),
  },
  {
    name: "Caddy",
    for: "caddy",
    start: ({ tree }) => startCaddy(() => readFile(`${tree}.Caddyfile`, "utf8")),
  },
  { name: "Apache", for: "apache", start: ({ folder }) => startApache(folder, true) },
  { name: "Cloudflare", for: "cloudflare", start: startCloudflare },
  { name: "Netlify (its own emulation)", for: "netlify", start: startNetlify },
  { name: "S3 (emulated)", for: "s3", start: emulateS3 },
];

/** Puts a tree where it is published. Hosts that read rules from the tree want them at the top of what is deployed. */
export async function placed(tree: string, base: string): Promise<Place> {
  if (base === "/") return { tree, folder: tree, base };
  const folder = `${tree}-above`;
  await cp(tree, `${folder}${base}`, { recursive: true });
  for (const name of ["_headers", "_redirects"]) {
    if (existsSync(`${tree}/${name}`)) await cp(`${tree}/${name}`, `${folder}/${name}`);
  }
  return { tree, folder, base };
}

/** A host's server, or why this machine cannot have it. */
export type Started = HostServer | { readonly missing: string };

/** Starts a host; says loudly if it cannot be had. */
export async function startHost(one: HostCase, place: Place): Promise<Started> {
  try {
    return await one.start(place);
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
