import type { Extra } from "../../extra.js";
import { flagUnless } from "../../lib/options.js";

declare module "../../server/options.js" {
  interface ExtraServeOptions {
    /**
     * Whether the server answers agents over the Model Context Protocol at `/mcp`. The first request loads the program
     * for it, which takes 15 MB. Default: true.
     */
    readonly mcp?: boolean | undefined;
  }
}

/** The option that switches it off. */
export const MCP_OPTIONS: NonNullable<Extra["options"]> = {
  serve: {
    mcp: {
      ...flagUnless("--no-mcp", "do not answer agents over the Model Context Protocol at /mcp"),
      after: "metrics",
    },
  },
};
