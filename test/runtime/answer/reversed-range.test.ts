import { expect, it } from "vitest";
import { aListing, aPublishedDirectory, aScan } from "../../fixtures.js";
import { attributeOf, byId, parsedPage, textOf } from "../../pages/parsed.js";
import { expectError, issuePaths, send, sharedService } from "../http.js";

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
