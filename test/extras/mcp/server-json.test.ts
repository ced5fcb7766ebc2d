import { expect, it } from "vitest";
import { serverJson } from "../../../.build/server-json.js";
import { serveCommand } from "../../../cli/serve.js";
import { itemAt } from "../../../src/contract/tables.js";

const PACKAGE = { name: "crawldex", version: "1.2.3" };

it("the entry of the MCP registry has the form that its schema asks for", () => {
  const { name, title, description, version, packages } = serverJson(PACKAGE);
  expect(name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  expect(serverJson({ ...PACKAGE, mcpName: "io.github.me/mine" }).name).toBe("io.github.me/mine");
  for (const text of [title, description]) expect(text.length).toBeLessThanOrEqual(100);
  const { transport, packageArguments, ...rest } = itemAt(packages, 0);
  expect(rest).toEqual({
    registryType: "npm",
    identifier: PACKAGE.name,
    version,
    runtimeHint: "npx",
  });
  expect(transport.url).toMatch(/^https?:\/\/\S+$/);
  // Each variable of the address is an argument.
  const variables = [...transport.url.matchAll(/\{([^}]+)\}/g)].map(([, variable]) => variable);
  const named = packageArguments.flatMap((one) => ("name" in one ? one.name : []));
  expect(variables).toEqual(named);
});

it("the entry of the MCP registry starts the server with options that it has", () => {
  const { packageArguments } = itemAt(serverJson(PACKAGE).packages, 0);
  const [command, store, port] = packageArguments;
  expect(command).toMatchObject({ type: "positional", value: serveCommand.name() });
  expect(store).toMatchObject({ valueHint: serveCommand.registeredArguments[0]?.name() });
  const long = serveCommand.options.map((option) => option.long);
  expect(long).toContain(port && "name" in port && port.name);
});
