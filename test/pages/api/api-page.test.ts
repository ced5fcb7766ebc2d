import { describe, expect, it } from "vitest";
import { errorsOf, parametersOf, READ_TEXTS } from "../../../src/contract/read-descriptions.js";
import { ROUTE_NAMES, ROUTES, type Route } from "../../../src/contract/routes.js";
import { apiPage } from "../../../src/pages/api/api-page.js";
import { all, attributeOf, byId, parsedPage, textOf } from "../parsed.js";
import { CONTEXT } from "../reports.js";

const page = parsedPage(apiPage(CONTEXT, "weather.example"));
const routes = ROUTE_NAMES.map((name) => [name, ROUTES[name] as Route] as const);

describe("the API's page", () => {
  it.each(routes)(
    "%s has a section with its parameters, its errors and lines to copy",
    (name, route) => {
      const section = byId(page, route.id);
      const text = textOf(section);
      const { summary, description } = READ_TEXTS[name];
      for (const part of [summary, `GET ${route.path}`, description]) {
        expect(text).toContain(part);
      }
      for (const { name, description, required, schema } of parametersOf(route)) {
        const [label] = all(section, "label").filter(
          (one) => attributeOf(one, "for") === `${route.id}-${name}`,
        );
        const use = required ? "required" : (schema.default ?? "optional");
        expect(textOf(label!)).toContain(`${name} `);
        expect(textOf(label!)).toContain(String(use));
        expect(textOf(byId(page, `${route.id}-${name}-about`))).toContain(description);
      }
      const lines = all(section, "pre", "data-copy").map(textOf);
      expect(lines[0]).toContain(
        `curl "${CONTEXT.baseUrl}${route.path.replace("{host}", "weather.example")}`,
      );
      expect(lines[1]).toContain(`createClient({ baseUrl: "${CONTEXT.baseUrl}" })`);
      const links = all(section, "a").map((link) => attributeOf(link, "href"));
      expect(links).toEqual(errorsOf(route).map((status) => `#error-${status}`));
    },
  );

  it("names the values that a parameter accepts", () => {
    const about = (id: string) => textOf(byId(page, `searchSites-${id}-about`));
    expect(about("sort")).toContain("one of score, score-asc, host, recent");
    expect(about("minScore")).toContain("whole number, 0 to 100");
    expect(about("band")).toContain("repeatable, 1 to 4 values");
    expect(about("q")).toContain("text, 1 to 120 characters");
  });

  it("without a script, each form is a GET of its read, and sends no empty value", () => {
    for (const form of all(page, "form", "data-read")) {
      expect(attributeOf(form, "method")).toBe("get");
      expect(attributeOf(form, "action")).toMatch(/^(?:api\/|\.well-known\/)[^{}]*$/);
      const disabled = all(form, "fieldset", "disabled").flatMap((one) => all(one, "input"));
      const sent = all(form, "input", "name").filter((one) => !disabled.includes(one));
      for (const input of sent) expect(attributeOf(input, "value")).not.toBe("");
    }
  });

  it("every link within the page leads to a place of it, and every error has a row", () => {
    for (const link of all(page, "a")) {
      const href = attributeOf(link, "href") ?? "";
      if (href.startsWith("#")) byId(page, href.slice(1));
    }
    const statuses = new Set(Object.values<Route>(ROUTES).flatMap(errorsOf));
    for (const status of statuses)
      expect(textOf(byId(page, `error-${status}`))).toContain(`${status}`);
  });

  it("needs no host, band or name", () => {
    const rubric = { ...CONTEXT.rubric, bands: [] };
    const bare = parsedPage(apiPage({ ...CONTEXT, name: "", rubric }, null));
    expect(textOf(byId(bare, "getReport"))).toContain("/api/sites/example.com/report");
  });
});
