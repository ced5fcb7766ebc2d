/** Compares two baselines, and prints each difference in groups: by the kind of address, and by what differs. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Entry, OF_ASSETS, OWN_FILES, readBodies, readEntries } from "./facts.js";

/** A fact that differs. A value is undefined where the baseline has no such entry or fact. */
interface Difference {
  readonly key: string;
  readonly was: string | undefined;
  readonly is: string | undefined;
}

/** Tags of computed answers depend on all that a directory serves, so one changed document changes all of them. */
const TAGS_ALONE = "entity tags of answers with the same bytes";
const EXAMPLES = 3;
const DIFF_LINES_MAX = 24;

/** @returns how many facts differ, without those of the program's own files */
export function compareBaselines(
  former: string,
  present: string,
  print: (line: string) => void,
): number {
  const formerEntries = readEntries(former);
  const presentEntries = readEntries(present);
  const both = [formerEntries, presentEntries];
  const sources = both.map((entries) => new Set(entries.map(sourceOf)));
  const isInBoth = (entry: Entry) => sources.every((some) => some.has(sourceOf(entry)));
  const before = byId(formerEntries.filter(isInBoth));
  const after = byId(presentEntries.filter(isInBoth));
  const lacking = [...new Set(sources.flatMap((some) => [...some]))].filter(
    (source) => !sources.every((some) => some.has(source)),
  );
  if (lacking.length > 0) print(`not compared, as only one baseline has it: ${lacking.join(", ")}`);
  const groups = new Map<string, Difference[]>();
  let equal = 0;
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const differing = differences(before.get(id), after.get(id));
    if (differing.length === 0) equal += 1;
    for (const { group, difference } of differing) {
      groups.set(group, [...(groups.get(group) ?? []), difference]);
    }
  }
  print(`${equal} answers and files are equal (${before.size} before, ${after.size} now)`);
  const bodies = { was: readBodies(former), is: readBodies(present) };
  let count = 0;
  for (const [group, found] of groups) {
    const isOwn = group.startsWith(OWN_FILES) || group === TAGS_ALONE;
    if (!isOwn) count += found.length;
    print(`\n${found.length} differ: ${group}${isOwn ? " (not counted)" : ""}`);
    if (isOwn) continue;
    for (const one of found.slice(0, EXAMPLES)) {
      print(`  ${one.key}`);
      print(indented(explained(one, bodies)));
    }
    if (found.length > EXAMPLES) print(`  and ${found.length - EXAMPLES} more`);
  }
  print(`\n${count} differences`);
  return count;
}

type Entries = Map<string, Entry>;

/** Where an entry comes from, such as `sample server`: the words before the method or the address. */
function sourceOf({ kind, key }: Entry): string {
  if (kind === "store") return `store of ${key}`;
  const [source = ""] = /^(?:.*: )?\S+(?: (?:server|handler|tree))?/.exec(kind) ?? [];
  return source.replace(`${OWN_FILES}: `, "");
}

function byId(entries: readonly Entry[]): Entries {
  return new Map(entries.map((entry) => [`${entry.kind} ${entry.key}`, entry]));
}

function differences(before: Entry | undefined, after: Entry | undefined) {
  const { kind, key } = (before ?? after) as Entry;
  if (before === undefined || after === undefined) {
    const state = before === undefined ? "new" : "missing";
    const difference = { key, was: before && "there", is: after && "there" };
    return [{ group: `${kind}: ${state}`, difference }];
  }
  const names = new Set([...Object.keys(before.facts), ...Object.keys(after.facts)]);
  const haveSameBytes = before.facts.bytes === after.facts.bytes;
  return [...names]
    .map((name) => ({ name, was: before.facts[name], is: after.facts[name] }))
    .filter(({ was, is }) => was !== is && was !== OF_ASSETS && is !== OF_ASSETS)
    .map(({ name, was, is }) => ({
      group: haveSameBytes && name === "etag" ? TAGS_ALONE : `${kind}: ${name}`,
      difference: { key, was, is },
    }));
}

interface Bodies {
  readonly was: ReadonlyMap<string, string>;
  readonly is: ReadonlyMap<string, string>;
}

/** Both values, or a diff of the bodies whose digests they are. */
function explained({ was, is }: Difference, bodies: Bodies): string {
  const former = bodies.was.get(was ?? "");
  const present = bodies.is.get(is ?? "");
  if (former === undefined || present === undefined) return `- ${was}\n+ ${is}`;
  const folder = mkdtempSync(join(tmpdir(), "crawldex-baseline-"));
  writeFileSync(join(folder, "was"), inLines(former));
  writeFileSync(join(folder, "is"), inLines(present));
  const { stdout } = spawnSync("diff", ["-U1", "was", "is"], { cwd: folder, encoding: "utf8" });
  rmSync(folder, { recursive: true });
  // The first two lines of a diff are the names of the files.
  const lines = stdout.split("\n").slice(2);
  const rest = lines.length - DIFF_LINES_MAX;
  return [...lines.slice(0, DIFF_LINES_MAX), ...(rest > 0 ? [`(${rest} more lines)`] : [])].join(
    "\n",
  );
}

/** JSON with a line for each value. Other texts stay as they are. */
function inLines(text: string): string {
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
  } catch {
    return `${text.trimEnd()}\n`;
  }
}

function indented(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, "    ");
}
