import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aPublishedDirectory, temporaryFolder, writePublished } from "../fixtures.js";
import { repetitions } from "./repetitions.js";
import { type Ran, run } from "./tools.js";

/** Runs the command, and says how much memory it ever had, in MB. */
async function measured(
  args: readonly string[],
  folder: string,
): Promise<Ran & { megabytes: number }> {
  const peak = join(folder, "peak");
  const hook = `import { writeFileSync } from "node:fs"; process.on("exit", () =>
    writeFileSync(${JSON.stringify(peak)}, String(process.resourceUsage().maxRSS / 1024)));`;
  const ran = await run(args, { hook });
  return { ...ran, megabytes: Number(readFileSync(peak, "utf8")) };
}

describe("I10: 100,000 files", () => {
  it("with one bad file or only bad files: every error is found, one line tells of all, memory stays flat", async () => {
    const folder = await temporaryFolder();
    const count = repetitions("manyFiles");
    const published = await writePublished(join(folder, "published"), aPublishedDirectory());
    const write = (i: number, text: string) => {
      const inner = join(published, "listings", String(i % 256));
      if (i < 256) mkdirSync(inner, { recursive: true });
      writeFileSync(join(inner, `${i}.json`), text);
    };
    const listing = (i: number, status: unknown) =>
      JSON.stringify({ host: `site-${i}.test.example`, url: "https://x.example/", status });
    for (let i = 0; i < count; i += 1) write(i, listing(i, i === 77_777 % count ? 5 : "claimed"));
    const one = await measured(["validate", published], folder);
    expect(one.code).toBe(3);
    expect(one.output).toContain("1 error, ");
    expect(one.output).toContain(`/${77_777 % count}.json:1:`);
    for (let i = 0; i < count; i += 1) write(i, listing(i, 5));
    const all = await measured(["validate", published], folder);
    expect(all.code).toBe(3);
    const counted = count.toLocaleString("en");
    expect(all.output).toContain(`error: ${counted} x listings/**/*.json $.status: found 5`);
    expect(all.output).toContain(`${counted} errors, `);
    process.stderr.write(
      `I10: ${one.megabytes} MB and ${one.milliseconds} ms with one error, ${all.megabytes} MB and ${all.milliseconds} ms with ${count}\n`,
    );
    expect(all.megabytes).toBeLessThan(1.6 * one.megabytes);
  });
});
