import { expect, it } from "vitest";
import { aListing, aPublishedDirectory, aScan } from "../fixtures.js";
import { attributeOf, byId, parsedPage, textOf } from "../pages/parsed.js";
import { expectError, issuePaths, send, sharedService } from "../server/http.js";

const host = "open.example";
const service = sharedService(
  aPublishedDirectory({ listings: [aListing({ host })], scans: [aScan({ host, id: "new" })] }),
);

it("a reversed range of scores is refused by the explorer's form without a script, as by the API", async () => {
  const query = "minScore=80&maxScore=20";
  const refused = expectError(await send(service.server, `/api/sites?${query}`), 400);
  expect(issuePaths(refused)).toEqual(["minScore"]);
  const { status, text } = await send(service.server, `/?${query}`);
  const page = parsedPage(text);
  expect([status, textOf(byId(page, "found"))]).toEqual([200, "0 sites"]);
  expect(attributeOf(byId(page, "range-wrong"), "hidden")).toBeNull();
  const allowed = parsedPage((await send(service.server, "/?minScore=20&maxScore=80")).text);
  expect(attributeOf(byId(allowed, "range-wrong"), "hidden")).not.toBeNull();
});

it.each(["", "q=open&"])(
  "the explorer says which parts of its address /?%s… it ignores",
  async (query) => {
    const resultsOf = async (more: string) =>
      textOf(byId(parsedPage((await send(service.server, `/?${query}${more}`)).text), "results"));
    const text = await resultsOf("minScore=900&category=A<b>&utm_source=x");
    expect(text).toContain("ignored: minScore=900, category=A<b>.");
    expect(text).not.toContain("utm_source");
    expect(await resultsOf("minScore=9&status=")).not.toContain("ignored");
  },
);
