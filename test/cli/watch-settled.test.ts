import { expect, it, vi } from "vitest";
import { keepBuilding } from "../../cli/watch.js";
import { fingerprint } from "../../src/input/locating/files.js";

vi.mock("../../src/input/locating/files.js");

it("build --watch waits until a changing directory looks the same twice", async () => {
  const stop = new AbortController();
  const looks = ["first", "first", "half", "whole", "whole", "whole"];
  let seen: string | undefined;
  vi.mocked(fingerprint).mockImplementation(async () => {
    const next = looks.shift();
    if (next === undefined) stop.abort();
    else seen = next;
    return seen ?? "";
  });
  const built: (string | undefined)[] = [];
  await keepBuilding("published", { quiet: true }, stop.signal, async () => {
    built.push(seen);
  });
  expect(built).toEqual(["first", "whole"]);
});
