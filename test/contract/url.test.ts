import { expect, it } from "vitest";
import { parsedUrl } from "../../src/contract/url.js";

it("an address is read in the same way however often, in letters of Latin-1 too", () => {
  const read = new Set<string | undefined>();
  for (let time = 0; time < 100_000; time += 1) read.add(parsedUrl("https://café.example/ü")?.href);
  expect([...read]).toEqual(["https://xn--caf-dma.example/%C3%BC"]);
});

it.each(["", "https://", "caf\u00e9", "//host.example/"])("%j is no address", (text) => {
  expect(parsedUrl(text)).toBeNull();
});
