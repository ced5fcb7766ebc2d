import { describe, expect, it } from "vitest";
import type { Publisher } from "../../src/contract/openapi.js";
import { at, everyValue, PUBLISHER, servedDescription } from "./description.js";

const infoOf = (publisher: Partial<Publisher>) =>
  at(servedDescription({ ...PUBLISHER, ...publisher }), "info");

describe("openapi.json: its general part", () => {
  const document = servedDescription();

  it("is OpenAPI 3.1 with version 1.0.0 for every publisher", () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(at(document, "info").version).toBe("1.0.0");
  });

  it("has the publisher's name, description and address", () => {
    expect(at(document, "info").title).toBe("Readable Web");
    expect(at(document, "info").description).toMatch(/^Websites by how well .* read them\.\n\n/);
    expect(document.servers).toMatchObject([{ url: "/" }, { url: "https://api.readable.example" }]);
  });

  it("names a relative server first, which keeps the path of the base address", () => {
    const { servers } = servedDescription({
      ...PUBLISHER,
      baseUrl: "https://readable.example/web",
    });
    expect(servers).toMatchObject([{ url: "/web" }, { url: "https://readable.example/web" }]);
  });

  it("no authentication applies to any endpoint", () => {
    expect(document.security).toEqual([]);
    expect(everyValue(document.paths, "security")).toEqual([]);
    expect(document.components).not.toHaveProperty("securitySchemes");
  });

  it("says what holds for every read, even if the publisher gives no description", () => {
    const { description } = infoOf({ description: null });
    for (const rule of [/^Anonymous and read-only/, /may gain fields/, /null never means zero/]) {
      expect(description).toMatch(rule);
    }
  });

  it("gives every operation a unique id, a summary, and one described tag", () => {
    const operations = Object.values(at(document, "paths")).map((item) => at(item, "get"));
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(10);
    for (const { operationId, summary, tags } of operations) {
      expect(operationId).toMatch(/^[a-z][A-Za-z]+$/);
      expect(summary).toMatch(/^[A-Z].{10,}[^.]$/);
      expect(tags).toHaveLength(1);
    }
    expect(operations.flatMap(({ tags }) => tags)).toEqual([
      "directory",
      "directory",
      "directory",
      "reports",
      "reports",
      "methodology",
      "methodology",
      "methodology",
      "discovery",
      "discovery",
    ]);
    const used = [...new Set(operations.flatMap(({ tags }) => tags))];
    expect(document.tags).toEqual(
      used.map((name) => ({ name, description: expect.stringMatching(/^.{20,}\.$/) })),
    );
  });
});

describe("directory.json: contact and license", () => {
  it.each([
    [null, undefined],
    ["https://readable.example/about", { url: "https://readable.example/about" }],
    ["HTTP://readable.example", { url: "HTTP://readable.example" }],
    ["mailto:editors@readable.example", { email: "editors@readable.example" }],
    ["MAILTO:editors@readable.example?subject=API", { email: "editors@readable.example" }],
  ])("contact %s", (contact, address) => {
    const expected = address === undefined ? undefined : { name: "Readable Web", ...address };
    expect(infoOf({ contact }).contact).toEqual(expected);
  });

  it.each([
    [null, undefined],
    ["CC-BY-4.0", { identifier: "CC-BY-4.0" }],
    ["CC0-1.0", { identifier: "CC0-1.0" }],
    ["CC-BY-NC-SA-3.0-IGO", { identifier: "CC-BY-NC-SA-3.0-IGO" }],
    ["ODbL-1.0", { identifier: "ODbL-1.0" }],
    ["etalab-2.0", { identifier: "etalab-2.0" }],
    ["GPL-3.0-or-later", { identifier: "GPL-3.0-or-later" }],
    ["MIT", { identifier: "MIT" }],
    ["https://readable.example/license", { url: "https://readable.example/license" }],
    ["Ours; ask before use", {}],
    ["Proprietary", {}],
    ["CC BY 4.0", {}],
  ])("license %s", (license, address) => {
    const expected = address === undefined ? undefined : { name: license, ...address };
    expect(infoOf({ license }).license).toEqual(expected);
  });
});
