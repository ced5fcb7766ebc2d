import { installExtras, readsOf } from "../src/extra.js";
import { EXTRAS } from "../src/extras/index.js";
import { SERVE } from "../src/server/options.js";

/** As much of package.json as the registry's entry needs. */
interface PackageFacts {
  readonly name: string;
  readonly version: string;
  /** The entry's name, which proves to the registry whose package it is. The owner adds it. */
  readonly mcpName?: string;
}

/** The path of the MCP server. */
const MCP_PATH = "/mcp";
const STORE_HINT = "store";

/**
 * The entry of the MCP registry, `server.json`: how a client starts the server of a store on its machine.
 * @throws TypeError if no extra answers at the path of the MCP server
 */
export function serverJson({ name, version, mcpName }: PackageFacts) {
  installExtras(EXTRAS);
  if (!Object.values(readsOf(EXTRAS)).some(({ path }) => path === MCP_PATH)) {
    throw new TypeError(`nothing answers at ${MCP_PATH}`);
  }
  const { usual, flag } = SERVE.port;
  const [portFlag = ""] = /--\w+/.exec(flag?.flags ?? "") ?? [];
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: mcpName ?? `io.github.OWNER/${name}`,
    title: name,
    description:
      "Asks a directory how well crawlers and agents can read websites, before reading them.",
    version,
    packages: [
      {
        registryType: "npm",
        identifier: name,
        version,
        runtimeHint: "npx",
        transport: {
          type: "streamable-http",
          url: `http://${SERVE.host.usual}:{${portFlag}}${MCP_PATH}`,
        },
        packageArguments: [
          { type: "positional", value: "serve" },
          {
            type: "positional",
            valueHint: STORE_HINT,
            description: "The store that crawldex build has written.",
            format: "filepath",
            isRequired: true,
          },
          { type: "named", name: portFlag, description: flag?.help, default: String(usual) },
        ],
      },
    ],
  };
}
