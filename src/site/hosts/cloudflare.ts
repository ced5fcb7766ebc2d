import { basename } from "node:path";
import { ROUTES } from "../../contract/routes.js";
import { HOSTED_ADDRESSES } from "./address-files.js";
import { headerFile, headerRules, hostRedirects, placeholders } from "./header-file.js";
import { HOST_ERRORS } from "./host-errors.js";
import type { HostFacts, HostRules } from "./host-rules.js";

/** Any date on which workers had all that `assets` names. */
const COMPATIBILITY_DATE = "2026-01-01";

/** `_headers` and `_redirects` for Cloudflare's static assets, and a configuration of `wrangler`. */
export function cloudflareRules({ root, base, isPacked }: HostFacts): HostRules {
  const json = { "Content-Type": ROUTES.standards.contentType };
  const headers = [...headerRules(true), { path: "/api/*", headers: json }];
  const files = new Map([
    ["_headers", `${headerFile(headers, base)}\n`],
    ["_redirects", `${cloudflareRedirects(base).join("\n")}\n`],
    // An error's page is the nearest 404.html. Below /api, it is sent as JSON.
    ["api/404.html", HOST_ERRORS.address.json],
    ["api/sites/404.html", HOST_ERRORS[isPacked ? "address" : "report"].json],
  ]);
  const beside = new Map([[".wrangler.jsonc", configuration(basename(root))]]);
  const redirects = (hosts: readonly string[]) =>
    hostRedirects(hosts, base, { end: "", status: "200", hasQueries: false });
  return { files, beside, redirects };
}

/** Cloudflare finds `<address>.html` by itself, and looks at no query: only the extensionless answers need rules. */
function cloudflareRedirects(base: string): string[] {
  return HOSTED_ADDRESSES.filter(
    ({ path, file }) => path !== `/${file}` && !file.endsWith(".html"),
  ).map(
    ({ path, file }) => `${base}${placeholders(path.slice(1))} ${base}${placeholders(file)} 200`,
  );
}

function configuration(folder: string): string {
  const config = {
    name: "directory",
    compatibility_date: COMPATIBILITY_DATE,
    assets: { directory: `./${folder}`, not_found_handling: "404-page" },
  };
  return `// Deploy the tree with: npx wrangler deploy --config ${folder}.wrangler.jsonc
${JSON.stringify(config, null, 2)}
`;
}
