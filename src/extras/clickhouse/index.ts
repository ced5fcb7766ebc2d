import type { Extra } from "../../extra.js";
import { optional } from "../../lib/options.js";
import { CLICKHOUSE_ADDRESS } from "./address.js";

declare module "../../server/options.js" {
  interface ExtraServeOptions {
    /**
     * The address of a ClickHouse server that answers searches, such as `clickhouse://user@host/database`; its password
     * is in the environment, in CLICKHOUSE_PASSWORD. Default: an index in memory answers them.
     */
    readonly engine?: string | undefined;
  }
}

const address = optional(CLICKHOUSE_ADDRESS, {
  flags: "--engine <url>",
  help: "have ClickHouse answer searches: clickhouse://user@host/database, password in CLICKHOUSE_PASSWORD",
});

/** Lets a ClickHouse server answer searches: `crawldex serve --engine`. */
export const clickHouse: Extra = {
  name: "clickhouse",
  options: { serve: { engine: { ...address, after: "mirror" } } },
  // Loads the client of ClickHouse only if there is an address.
  engine: async ({ engine, log }) =>
    engine === undefined ? undefined : (await import("./open.js")).clickHouseEngine(engine, log),
};
