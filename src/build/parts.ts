import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { byCodeUnit } from "../contract/order.js";
import { hasCode } from "../files/errors.js";
import { layout } from "../store/layout.js";
import { currentId } from "../store/reader.js";

import { type BuilderNotes, type Built, readNotes } from "./notes.js";
import { type FormerBuild, formerBuild } from "./plan.js";
import { firstHosts } from "./removal-limit.js";
import { toolDigest } from "./tool.js";

/** The parts of a build do not fit together. Nothing was published. The message names each bad part with the remedy. */
export class PartsRefusedError extends Error {
  override readonly name = "PartsRefusedError";
  /** One sentence for each problem. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`${problems.join(". ")}. Nothing was published`);
    this.problems = problems;
  }
}

/** A part that was built, in a store of its own. */
export interface BuiltPart {
  /** The part's store. */
  readonly store: string;
  readonly part: NonNullable<Built["part"]>;
  readonly notes: BuilderNotes;
  readonly built: Built;
}

/** A part whose files are whole, with the facts of its snapshot and its notes. */
export interface WholePart extends BuiltPart {
  readonly former: FormerBuild;
}

/**
 * Reads all parts in a store, and checks that they are one build: each part once, of the same input, with the same
 * documents and program, and with whole files.
 * @returns the parts in their order
 * @throws PartsRefusedError
 */
export async function readParts(store: string): Promise<WholePart[]> {
  const folder = layout.parts(store);
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (hasCode(error, ["ENOENT"])) return [];
    throw error;
  });
  const names = entries.filter((entry) => !entry.isFile()).map(({ name }) => name);
  if (names.length === 0) {
    throw new PartsRefusedError([
      `there are no parts in ${folder}; build each with crawldex build <published> --part 1/16 and so on`,
    ]);
  }
  const parts: BuiltPart[] = [];
  const unfinished: string[] = [];
  for (const name of names.sort(byCodeUnit)) {
    const part = await readPart(join(folder, name));
    if (part === null) unfinished.push(join(folder, name));
    else parts.push(part);
  }
  const problems = [
    ...(unfinished.length === 0
      ? []
      : [`${firstHosts(unfinished)} has no part that was built to its end; build it again`]),
    ...problemsOf(parts, unfinished.length > 0),
  ];
  if (problems.length > 0) throw new PartsRefusedError(problems);
  return wholeParts(parts.sort((a, b) => a.part.number - b.part.number));
}

/** Null if the last build of the part has not ended. */
async function readPart(store: string): Promise<BuiltPart | null> {
  const notes = await readNotes(store);
  const { built } = notes;
  const current = await currentId(store).catch(() => null);
  if (built?.part === undefined || built.id !== current) return null;
  return { store, part: built.part, notes, built };
}

/** @param lacks whether some parts could not be read. Then no part is reported as missing */
function problemsOf(parts: readonly BuiltPart[], lacks: boolean): string[] {
  const problems: string[] = [];
  const refuse = (wrong: readonly BuiltPart[], what: string, remedy: string) => {
    const names = wrong.map(({ store, part }) => `${part.number}/${part.count} (${store})`);
    if (names.length > 0) problems.push(`${firstHosts(names)}: ${what}; ${remedy}`);
  };
  const again = "build again with --part";
  const count = usual(parts, ({ part }) => part.count);
  const divided = parts.filter(({ part }) => String(part.count) === count);
  const others = parts.filter((one) => !divided.includes(one));
  refuse(others, `is not one of ${count} parts, as most are`, "delete its folder");
  const numbers = divided.map(({ part }) => part.number);
  const twice = divided.filter(({ part }) => numbers.filter((n) => n === part.number).length > 1);
  refuse(twice, "is there twice", "delete the folder that you do not want");
  const missing = Array.from({ length: Number(count) }, (_, i) => i + 1)
    .filter((number) => !numbers.includes(number))
    .map((number) => `${number}/${count}`);
  if (missing.length > 0 && !lacks) {
    problems.push(`part ${firstHosts(missing)} is missing; build it with --part`);
  }
  refuse(
    divided.filter(({ built }) => built.tool !== toolDigest()),
    "was built with another version of the program, or of Node",
    `${again}, or join with the version that built it`,
  );
  for (const [what, of] of [
    ["other documents", ({ built }: BuiltPart) => built.documents],
    ["another input", ({ part }: BuiltPart) => part.whole.digest],
  ] as const) {
    const most = usual(divided, of);
    const wrong = divided.filter((one) => of(one) !== most);
    refuse(wrong, `was built from ${what} than most parts`, again);
  }
  return problems;
}

/** The most frequent value; in a tie, the one that comes first. */
function usual(parts: readonly BuiltPart[], of: (part: BuiltPart) => string | number): string {
  const counts = new Map<string, number>();
  for (const part of parts) {
    const value = String(of(part));
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const [[value] = [""]] = [...counts].sort(([, a], [, b]) => b - a);
  return value;
}

async function wholeParts(parts: readonly BuiltPart[]): Promise<WholePart[]> {
  const whole: WholePart[] = [];
  const damaged: string[] = [];
  for (const part of parts) {
    const former = await formerBuild(part.store, part.notes);
    if (former?.id === part.built.id) whole.push({ ...part, former });
    else damaged.push(part.store);
  }
  if (damaged.length === 0) return whole;
  throw new PartsRefusedError([
    `${firstHosts(damaged)} is damaged or incomplete; copy it again, or build it again with --part`,
  ]);
}
