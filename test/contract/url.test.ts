import { expect, it } from "vitest";
import { parsedUrl } from "../../src/contract/host.js";

it("an address is read the same way each time, even with Latin-1 letters", () => {
  const read = new Set<string | undefined>();
  for (let time = 0; time < 100_000; time += 1) read.add(parsedUrl("https://café.example/ü")?.href);
  expect([...read]).toEqual(["https://xn--caf-dma.example/%C3%BC"]);
});

it.each(["", "https://", "caf\u00e9", "//host.example/"])("%j is not an address", (text) => {
  expect(parsedUrl(text)).toBeNull();
});
