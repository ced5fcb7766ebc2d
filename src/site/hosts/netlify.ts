import { HOSTED_ADDRESSES } from "./address-files.js";
import { headerFile, headerRules, hostRedirects, placeholders } from "./header-file.js";
import { HOST_ERRORS } from "./host-errors.js";
import { type HostFacts, type HostRules, NO_FILES } from "./host-rules.js";

const NO_ADDRESS = "errors/address.json";
const NO_REPORT = "errors/report.json";

/** `_headers` and `_redirects` for Netlify. */
export function netlifyRules({ base, isPacked }: HostFacts): HostRules {
  const files = new Map([
    ["_headers", `${headerFile(headerRules(false), base)}\n`],
    ["_redirects", `${netlifyRedirects(base).join("\n")}\n`],
    [NO_ADDRESS, HOST_ERRORS.address.json],
    [NO_REPORT, HOST_ERRORS[isPacked ? "address" : "report"].json],
  ]);
  const redirects = (hosts: readonly string[]) =>
    hostRedirects(hosts, base, { end: ".html", status: "200!", hasQueries: true });
  return { files, beside: NO_FILES, redirects };
}

/** The first rule that matches counts. */
function netlifyRedirects(base: string): string[] {
  const rule = (path: string, query: string, file: string, status: string) =>
    `${base}${placeholders(path.slice(1))} ${query}${base}${placeholders(file)} ${status}`;
  const listed = HOSTED_ADDRESSES.flatMap(({ path, file, scanFile }) => [
    // Without the mark, the file that Netlify finds at the address itself would come first.
    ...(scanFile === null ? [] : [rule(path, "scan=:scan ", scanFile, "200!")]),
    ...(path === `/${file}` || path === "/" ? [] : [rule(path, "", file, "200")]),
  ]);
  return [
    ...listed,
    rule("/api/sites/{host}/*", "", NO_REPORT, "404"),
    rule("/api/*", "", NO_ADDRESS, "404"),
  ];
}
