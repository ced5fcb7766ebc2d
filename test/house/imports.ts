import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { importedBy, sourcesOf } from "./sources.js";

/** Files that `answer.ts` needs, with those that it needs only for their types. */
const ANSWER_REACHES_MAX = 60;

const byPath = new Map(sourcesOf("src", "cli").map((source) => [source.path, source]));

/** The files that a file needs, itself included, with those that it needs only for their types. */
function reachedFrom(start: string): Set<string> {
  const reached = new Set([start]);
  for (const path of reached) for (const one of byPath.get(path)?.imports ?? []) reached.add(one);
  return reached;
}

describe("imports", () => {
  it("whoever follows a request from answer.ts reaches few files, types included", () => {
    const reached = reachedFrom("src/runtime/answer/answer.ts");
    expect(reached.size).toBeLessThanOrEqual(ANSWER_REACHES_MAX);
  });

  it("no circle of imports holds more than types", () => {
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (path: string, way: readonly string[]): void => {
      if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(" > "));
      const source = byPath.get(path);
      if (source === undefined || done.has(path) || way.includes(path)) return;
      for (const address of importedBy(source)) {
        if (address.startsWith(".")) {
          visit(normalize(join(dirname(path), address)).replace(/\.js$/, ".ts"), [...way, path]);
        }
      }
      done.add(path);
    };
    for (const path of byPath.keys()) visit(path, []);
    expect(circles).toEqual([]);
  });
});
