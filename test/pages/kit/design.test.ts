import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../house/sources.js";

const STYLESHEET = readFileSync(join(ROOT, "src/pages/assets/pages.css"), "utf8");
const PAGE = readFileSync(join(ROOT, "docs/design.md"), "utf8");
const propertiesOf = (css: string) =>
  Object.fromEntries(
    [...css.matchAll(/--([\w-]+):\s+([^;]+);/g)].map(([, name, value]) => [name, value]),
  );
const [before = "", after = ""] = STYLESHEET.split("@media (prefers-color-scheme: dark)");
const light = propertiesOf(before);
const dark = { ...light, ...propertiesOf(after.slice(0, after.indexOf("\n}\n"))) };

/** The relative luminance of a colour (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(scheme: Record<string, string | undefined>, one: string, other: string): number {
  const values = [one, other].map((name) => luminance(scheme[name] ?? ""));
  return (Math.max(...values) + 0.05) / (Math.min(...values) + 0.05);
}

const LEVELS = ["level-0", "level-1", "level-2", "level-3", "level-none"];
const SURFACES = ["card", "paper", "band"];
const TEXT = 4.5;
const GRAPHIC = 3;
/** What is seen on what, and the least contrast that it needs. */
const PAIRS: readonly (readonly [
  label: string,
  fronts: readonly string[],
  backs: readonly string[],
  least: number,
])[] = [
  ["`--ink` on surfaces", ["ink"], SURFACES, TEXT],
  ["`--quiet` on surfaces", ["quiet"], SURFACES, TEXT],
  ["`--link` on surfaces", ["link"], SURFACES, TEXT],
  ["`--card` on `--link` (a strong button)", ["card"], ["link"], TEXT],
  ...["pass", "warn", "fail", "na"].map(
    (name) => [`\`--${name}\` on its ground`, [name], [`${name}-back`], TEXT] as const,
  ),
  ["bands on `--card` and `--paper`, as text", LEVELS, ["card", "paper"], TEXT],
  ["`--ink` on the grounds of bands", ["ink"], LEVELS.map((name) => `${name}-back`), TEXT],
  ...LEVELS.map(
    (name) => [`\`--${name}\` on its ground, as a bar`, [name], [`${name}-back`], GRAPHIC] as const,
  ),
  ["`--control` and `--focus` on surfaces", ["control", "focus"], ["card", "paper"], GRAPHIC],
];

function leastOf(
  scheme: Record<string, string | undefined>,
  fronts: readonly string[],
  backs: readonly string[],
) {
  return Math.min(...fronts.flatMap((front) => backs.map((back) => contrast(scheme, front, back))));
}

describe("the colours of pages", () => {
  it.each(PAIRS)("%s: enough contrast, light and dark", (_, fronts, backs, least) => {
    expect(leastOf(light, fronts, backs)).toBeGreaterThanOrEqual(least);
    expect(leastOf(dark, fronts, backs)).toBeGreaterThanOrEqual(least);
  });
});

describe("the page about the design", () => {
  it("has the sizes of the type scale", () => {
    const sizes = Object.entries(light).filter(([name]) =>
      /^(?:small|normal|large|title-\d)$/.test(name),
    );
    expect(sizes.length).toBeGreaterThan(5);
    expect(PAGE).toContain(sizes.map(([name, size]) => `| ${size} | \`--${name}\` |`).join("\n"));
  });

  it("names classes and properties that the stylesheet has", () => {
    const [pages = ""] = PAGE.split("## The program");
    const names = [...pages.matchAll(/`--([\w-]+)`/g)].map(([, name = ""]) => name);
    expect(
      names.filter((name) => light[name] === undefined && !["level", "level-back"].includes(name)),
    ).toEqual([]);
    const [, parts = ""] = pages.split("### Parts");
    const classes = [...parts.matchAll(/^\| [^|]+ \| ([^|]+) \|/gm)]
      .slice(1)
      .flatMap(([, cell = ""]) =>
        [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, one = ""]) => one.split(" ")),
      );
    expect(classes.length).toBeGreaterThan(12);
    const missing = classes.filter(
      (name) => !new RegExp(`(?:\\.|^|[ ,])${name}\\b`, "m").test(STYLESHEET),
    );
    expect(missing).toEqual([]);
  });
});
