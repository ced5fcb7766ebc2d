import { expect, it } from "vitest";
import { createClient } from "../../../src/client/index.js";
import { aListing, aPublishedDirectory, aScan } from "../../fixtures.js";
import { sharedService } from "../../server/http.js";

const service = sharedService(
  aPublishedDirectory({
    listings: [
      aListing({ host: "one.com", category: "news" }),
      aListing({ host: "other.com", category: "weather" }),
    ],
    scans: [aScan({ host: "one.com" }), aScan({ host: "other.com" })],
  }),
);

it("the client reads the trends of the directory, and those of a category and a check", async () => {
  const client = createClient({ baseUrl: service.server.url });
  const { data: all } = await client.trends();
  expect(all.points.map(({ listings, share }) => [listings, share])).toEqual([[2, null]]);
  const { data: some } = await client.trends({ category: "news", check: "https" });
  expect(some.points.map(({ listings, passed, n }) => [listings, passed, n])).toEqual([
    [1, null, 1],
  ]);
});
