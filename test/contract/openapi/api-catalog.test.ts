import { describe, expect, it } from "vitest";
import { API_CATALOG_LINK } from "../../../src/contract/headers.js";
import { apiCatalog } from "../../../src/contract/openapi.js";
import { ROUTES } from "../../../src/contract/routes.js";

const BASES = ["https://api.readable.example", "https://readable.example/directory"];

describe("the api-catalog is an RFC 9264 linkset, found by RFC 9727", () => {
  it("names the API, its description as service-desc and its page as service-doc, with their media types", () => {
    expect(apiCatalog({ baseUrl: "https://api.readable.example" })).toEqual({
      linkset: [
        {
          anchor: "https://api.readable.example/api",
          "service-desc": [
            { href: "https://api.readable.example/api/openapi.json", type: "application/json" },
          ],
          "service-doc": [{ href: "https://api.readable.example/api", type: "text/html" }],
        },
      ],
    });
  });

  it("RFC 9727, section 2: the Link header names the catalogue, below any base address", () => {
    const links = [...API_CATALOG_LINK.matchAll(/<([^>]*)>; rel="([^"]*)"(?:, |$)/g)];
    expect(links.map(([link]) => link).join("")).toBe(API_CATALOG_LINK);
    for (const baseUrl of BASES) {
      const address = `${baseUrl}${ROUTES.catalog.path}`;
      const resolved = links.map(([, target, relation]) => [
        relation,
        new URL(target ?? "", address).href,
      ]);
      expect(resolved).toEqual([
        ["api-catalog", address],
        ["profile", "https://www.rfc-editor.org/info/rfc9727"],
      ]);
    }
  });
});
