import { type BuilderNotes, rollbackOf } from "../build/notes.js";
import type { Tombstone, TombstoneReason } from "../build/tombstones.js";
import type { Report } from "../contract/report.js";
import { escapeControls } from "../published/checking/problem.js";
import type { Explanation } from "./explain.js";

/** The reason of an explanation, in one word and in sentences. */
type Why = Pick<Explanation, "why" | "reason">;
type NotedWhy = Tombstone["why"];

/** The facts about a current snapshot from the builder's notes. */
interface Noted {
  readonly rolledBackTo: string | null;
  /** From the last build, by host. Empty if `built` is null, as is `remembered`. */
  readonly tombstones: ReadonlyMap<string, NotedWhy>;
  readonly remembered: ReadonlyMap<string, NotedWhy>;
  /** As in `KnownHost`. */
  readonly built: string | null;
}

/** The facts about a host from the builder's notes. */
export interface KnownHost {
  readonly host: string;
  readonly rolledBackTo: string | null;
  /** From the last build; null if that build has no tombstone for the host. */
  readonly tombstone: TombstoneReason | null;
  /**
   * The last visibility that was stated for a listing that is now missing from the input; null if it was
   * `listed`.
   */
  readonly remembered: TombstoneReason | null;
  /** The snapshot that was built last; null if the notes are lost, or do not belong to the current snapshot. */
  readonly built: string | null;
  /** Whether the snapshot that was built last has the host. */
  readonly isBuilt: () => Promise<boolean>;
}

/** @param id the current snapshot */
export function notedAbout(id: string, notes: BuilderNotes): Noted {
  const { built, tombstones, remembered } = notes;
  const rolledBackTo = rollbackOf(id, notes)?.former ?? null;
  const holds = built !== null && (built.id === id || rolledBackTo !== null);
  const byHost = (all: readonly Tombstone[]) =>
    new Map(holds ? all.map(({ host, why }) => [host, why]) : []);
  return {
    rolledBackTo,
    tombstones: byHost(tombstones),
    // If several groups have a host, the first counts.
    remembered: byHost(remembered.flatMap((group) => group.tombstones).reverse()),
    built: holds ? built.id : null,
  };
}

export function knownOf(
  { tombstones, remembered, built, rolledBackTo }: Noted,
  host: string,
  isBuilt: KnownHost["isBuilt"],
): KnownHost {
  return {
    host,
    rolledBackTo,
    tombstone: tombstones.get(host) ?? null,
    remembered: remembered.get(host) ?? null,
    built,
    isBuilt,
  };
}

export function whyInSearch({ scan }: Report): Why {
  const score =
    scan.score === null
      ? "has no score, which does not keep it out of search"
      : `scored ${scan.score}`;
  const status = escapeControls(scan.status);
  const reason =
    `It is listed and was scanned: its published scan ${scan.id} (${status}, ${scan.finishedAt}) ` +
    `${score}.`;
  return { why: "listed", reason };
}

/** @param report reads the withheld report, if it matters */
export async function whyWithheld(
  { tombstone, built, rolledBackTo }: KnownHost,
  report: () => Promise<Report>,
): Promise<Why> {
  const withheld = "Its report is withheld: it shows only that the host is known.";
  if (tombstone !== null) {
    return { why: tombstone, reason: `Its visibility is "${tombstone}". ${withheld}` };
  }
  const { scan } = await report();
  if (scan.status === "moved") {
    const target = scan.redirect?.host ?? null;
    const where = target === null ? "another domain" : `another domain, ${escapeControls(target)}`;
    const reason = `Its published scan ${scan.id} found that it moved: the homepage redirects to ${where}. ${withheld}`;
    return { why: "moved", reason };
  }
  if (built !== null && rolledBackTo !== null) {
    return { why: "former", reason: `It was withheld in snapshot ${rolledBackTo}. ${withheld}` };
  }
  const reason =
    "Its visibility is blocked, opted-out or redirected. The builder's notes would say which, but " +
    `they are lost or belong to another snapshot. ${withheld}`;
  return { why: "unknown", reason };
}

/** Adds that a rollback brought the host back, if it has a report although the last build's input does not have it. */
export async function orRestored(known: KnownHost, why: Why): Promise<Why> {
  const { tombstone, built, rolledBackTo, isBuilt } = known;
  const isRolledBack = rolledBackTo !== null && built !== null && tombstone === null;
  return isRolledBack && !(await isBuilt()) ? whyRestored(why) : why;
}

function whyRestored({ reason }: Why): Why {
  const restored = "A rollback brought it back: it is no longer in the published directory.";
  return { why: "restored", reason: `${reason} ${restored}` };
}

/** Adds that the explanation describes a snapshot that was rolled back to. */
export function afterRollback({ rolledBackTo }: KnownHost, { why, reason }: Why): Why {
  if (rolledBackTo === null) return { why, reason };
  const said =
    `The current snapshot comes from a rollback: it has the answers of ${rolledBackTo}, and the next ` +
    "build publishes its input again.";
  return { why, reason: `${reason} ${said}` };
}

/**
 * Why a listing has no report, or only a withheld one: as in `explain`, but without the words about a rollback.
 * @param report reads its withheld report; null if it has none
 */
export async function whyLeftOut(
  known: KnownHost,
  report: (() => Promise<Report>) | null,
): Promise<Why> {
  return report === null ? whyAbsent(known) : orRestored(known, await whyWithheld(known, report));
}

export async function whyAbsent(known: KnownHost): Promise<Why> {
  const { tombstone, remembered, built, rolledBackTo, isBuilt } = known;
  if (built === null) {
    const reason =
      "It has no report: it is not in the published directory, has no scan there, or its visibility is " +
      "removed or deleted. The builder's notes would say which, but they are lost or belong to another " +
      "snapshot.";
    return { why: "unknown", reason };
  }
  if (tombstone === "unscanned") {
    return {
      why: tombstone,
      reason: "It has no report: it is listed, but the published directory has no scan of it.",
    };
  }
  if (tombstone === "removed" || tombstone === "deleted") {
    return { why: tombstone, reason: `It has no report: its visibility is "${tombstone}".` };
  }
  if (rolledBackTo !== null && (await isBuilt())) {
    return { why: "former", reason: `It has no report: snapshot ${rolledBackTo} has none of it.` };
  }
  if (tombstone !== null) {
    const reason = `It has no report: its visibility is "${tombstone}", and the published directory has no scan of it.`;
    return { why: tombstone, reason };
  }
  const last = remembered === null ? "" : ` Its visibility was last stated as "${remembered}".`;
  const reason = `It has no report: it is not in the published directory.${last}`;
  return { why: "absent", reason };
}
