import { createRequire } from "node:module";
import { join } from "node:path";
import { npmModules } from "../../stores/servers/installed.js";
import { boundCommand, LOOPBACK } from "../../stores/servers/processes.js";
import type { Place } from "../hosts.js";
import type { HostServer } from "./started.js";

/** As much as is used of `miniflare`. */
interface Module {
  readonly Miniflare: new (
    options: Readonly<Record<string, unknown>>,
  ) => {
    readonly ready: Promise<URL>;
    unsafeGetDirectURL(): Promise<URL>;
    dispose(): Promise<void>;
  };
}

/**
 * Cloudflare's static assets in workerd, without a worker of one's own. They read `_headers` and `_redirects` as
 * Cloudflare does.
 */
export async function startCloudflare({ folder }: Place): Promise<HostServer> {
  const load = createRequire(join(await npmModules(), "any.js"));
  process.env.MINIFLARE_WORKERD_PATH = await boundCommand(load("workerd").default);
  const { Miniflare } = load("miniflare") as Module;
  const server = new Miniflare({
    modules: true,
    script: "export default {}",
    compatibilityDate: "2026-04-20",
    host: LOOPBACK,
    port: 0,
    cf: false,
    assets: {
      directory: folder,
      routerConfig: { has_user_worker: false },
      assetConfig: { html_handling: "auto-trailing-slash", not_found_handling: "404-page" },
    },
  });
  const { hostname, port } = await server.ready;
  return { host: hostname, port: Number(port), stop: () => server.dispose() };
}
