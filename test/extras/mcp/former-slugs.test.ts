import { expect, it } from "vitest";
import { afterRenames } from "../../renamed.js";
import { sharedService } from "../../server/http.js";
import { callTool, connected } from "./mcp-client.js";

const renamed = sharedService(afterRenames());

it("agents know a term that was renamed by its former slug, too", async () => {
  const client = await connected(renamed.server.url, "legacy");
  const call = (tool: string, args: Record<string, unknown>) => callTool(client, tool, args);
  expect(await call("search_sites", { category: ["news"], capability: ["mcp"] })).toEqual(
    await call("search_sites", { category: ["latest-news"], capability: ["model-context"] }),
  );
  expect(await call("facts", { figure: "passing", check: "mcp", category: "news" })).toEqual(
    await call("facts", {
      figure: "passing",
      check: "model-context",
      category: "latest-news",
    }),
  );
  const { check } = await call("get_methodology", { check: "mcp" });
  expect(check).toMatchObject({ id: "model-context" });
});
