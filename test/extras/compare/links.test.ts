import { expect, it } from "vitest";
import { aListing, aPublishedDirectory } from "../../fixtures.js";
import { all, attributeOf, parsedPage } from "../../pages/parsed.js";
import { send, sharedService } from "../../server/http.js";

const service = sharedService(aPublishedDirectory({ listings: [aListing({ category: "news" })] }));
const textAt = async (target: string) => (await send(service.server, target)).text;

it.each([
  ["a report", "/sites/example.com", "../compare?sites=example.com"],
  ["the explorer, whose sites can be ticked", "/", "figures/scores.svg"],
  ["a category's page", "/categories/news", "../matrix/news"],
  ["the list of categories", "/categories", "matrix/news"],
])("%s leads to what compares sites, or to the charts", async (_, target, link) => {
  const hrefs = all(parsedPage(await textAt(target)), "a").map((one) => attributeOf(one, "href"));
  expect(hrefs).toContain(link);
});

it("the explorer has a box for each site, in a form that the comparison answers", async () => {
  const page = parsedPage(await textAt("/"));
  const [form] = all(page, "form", "id").filter((one) => attributeOf(one, "id") === "compare");
  expect(attributeOf(form!, "action")).toBe("compare");
  const boxes = all(page, "input").filter((one) => attributeOf(one, "form") === "compare");
  expect(boxes.map((one) => attributeOf(one, "value"))).toEqual(["example.com"]);
});

it("llms.txt and the sitemap name the tables", async () => {
  expect(await textAt("/llms.txt")).toContain("/tables/{category}.csv` says which of its sites");
  expect(await textAt("/sitemaps/categories.xml")).toContain("/matrix/news</loc>");
});

it.each(["/matrix/news/", "/tables/news.csv/"])(
  "%s leads to the address without the slash",
  async (target) => {
    const { status, headers } = await send(service.server, target);
    expect([status, String(headers.location)]).toEqual([308, `../${target.split("/")[2]}`]);
  },
);

it.each(["127.0.0.1", "localhost", "me@a.com"])(
  "the CSV of a comparison refuses %j by its index",
  async (text) => {
    const list = ["a.com", "b.com", text].map(encodeURIComponent).join(",");
    const { status, text: body } = await send(service.server, `/compare.csv?sites=${list}`);
    expect([status, body]).toEqual([400, expect.stringContaining("sites[2]")]);
  },
);
