import { bucketAddress, originAddress, s3Access } from "./address.js";
import { bucketUrl } from "./s3-bucket.js";

/** The variables that name a proxy, by the protocol of the address. The first one that is set counts. */
const VARIABLES: Readonly<Record<string, readonly string[]>> = {
  "http:": ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"],
  "https:": ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"],
};
/** What decides whether requests pass through a proxy. */
export interface ProxyFacts {
  readonly environment: NodeJS.ProcessEnv;
  /** The version of Node.js, such as 24.5.0. */
  readonly node: string;
  /** The options that Node.js was started with. */
  readonly flags: readonly string[];
}

function factsOfProcess(): ProxyFacts {
  const { env: environment, versions, execArgv: flags } = process;
  return { environment, node: versions.node, flags };
}

/**
 * A warning that requests go directly to an address, though the environment names a proxy for it; null if they do not.
 * @param address a bucket, or an address of http or https
 */
export function unusedProxy(
  address: string,
  { environment, node, flags }: ProxyFacts = factsOfProcess(),
): string | null {
  const url = requestUrl(address, environment);
  const variable = VARIABLES[url?.protocol ?? ""]?.find((name) => environment[name]);
  if (url === null || variable === undefined || isExempt(url, environment)) return null;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  const canUse = major >= 24 || (major === 22 && minor >= 21);
  const flag = [environment.NODE_OPTIONS, ...flags].join(" ").includes("--use-env-proxy");
  const isAsked = flag || environment.NODE_USE_ENV_PROXY === "1";
  // Node.js does not know this variable.
  const isOfAll = variable.toUpperCase() === "ALL_PROXY";
  if (canUse && isAsked && !isOfAll) return null;
  const own = isOfAll ? `${url.protocol === "http:" ? "HTTP" : "HTTPS"}_PROXY and ` : "";
  const set = `set ${own}NODE_USE_ENV_PROXY=1`;
  const remedy = canUse
    ? `${set} to use the proxy`
    : `Node.js ${node} cannot use a proxy: install Node.js 24, and ${set}`;
  return `${variable} is set, but requests go directly to ${url.host}; ${remedy}, or add ${url.hostname} to NO_PROXY`;
}

/** The address that requests go to; null if the environment does not say. */
function requestUrl(address: string, environment: NodeJS.ProcessEnv): URL | null {
  const bucket = bucketAddress(address);
  if (bucket === null) return originAddress(address);
  try {
    return bucketUrl(bucket.bucket, s3Access(environment));
  } catch {
    // The command itself reports it.
    return null;
  }
}

/** Whether `NO_PROXY` lists a host, or a domain above it. */
function isExempt(url: URL, environment: NodeJS.ProcessEnv): boolean {
  const port = url.port || (url.protocol === "http:" ? "80" : "443");
  return (environment.no_proxy || environment.NO_PROXY || "").split(/[\s,]+/).some((entry) => {
    const [, name = "", only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (entry === "*") return true;
    const isHost = name !== "" && (url.hostname === name || url.hostname.endsWith(`.${name}`));
    return isHost && (only === undefined || only === port);
  });
}
