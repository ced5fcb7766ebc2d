import type { Rule } from "../../lib/options.js";

/** The address of a ClickHouse server, and the user that signs in. */
export interface ClickHouseAccess {
  /** The address of its HTTP interface. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
}

/** The ports of ClickHouse's HTTP interface, without and with TLS. */
const SCHEMES: Readonly<Record<string, readonly [scheme: string, port: string]>> = {
  "clickhouse:": ["http", "8123"],
  "clickhouses:": ["https", "8443"],
};

/** A database's name. It is sent as a header, and never becomes part of a statement. */
const DATABASE = /^\/?$|^\/(\w[\w.-]*)\/?$/;

/** Reads an address without the password; null for any other text. */
function accessIn(text: string): Omit<ClickHouseAccess, "password"> | null {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return null;
  }
  const [scheme, usualPort] = SCHEMES[url.protocol] ?? [];
  const database = DATABASE.exec(url.pathname);
  if (scheme === undefined || database === null || url.hostname === "") return null;
  // A password or a query would appear in messages.
  if (url.password !== "" || /[?#]/.test(text)) return null;
  return {
    url: `${scheme}://${url.hostname}:${url.port || usualPort}`,
    username: decodeURIComponent(url.username) || "default",
    database: database[1] ?? "default",
  };
}

/** The addresses that `serve` takes for its engine. */
export const CLICKHOUSE_ADDRESS: Rule<string> = {
  isSecret: true,
  expected:
    "an address such as clickhouse://user@host:8123/database, or clickhouses:// for TLS, without a " +
    "password, a ? or a #",
  accepts: (value): value is string => typeof value === "string" && accessIn(value) !== null,
};

/**
 * Reads an address that the rule accepts. The password is in the environment, in CLICKHOUSE_PASSWORD.
 * @throws TypeError for another text
 */
export function clickHouseAccess(
  address: string,
  environment: NodeJS.ProcessEnv = process.env,
): ClickHouseAccess {
  const access = accessIn(address);
  if (access === null) throw new TypeError(`the engine must be ${CLICKHOUSE_ADDRESS.expected}`);
  return { ...access, password: environment.CLICKHOUSE_PASSWORD ?? "" };
}
