/**
 * The objects that commands print with `--json`. `npm run docs` writes a JSON Schema of each into `docs/json`, and
 * tests check that the commands print nothing else.
 */
import { z } from "zod";
import { LEFT_OUT_WORDS } from "../cli/explain.js";
import {
  BadInput,
  Count,
  Failed,
  failed,
  Generation,
  Host,
  Hosts,
  ok,
  SnapshotId,
  TooManyRemoved,
  warnings,
} from "../cli/json-parts.js";
import { extraCommands } from "../cli/program.js";
import { jsonSchemaOf } from "../src/contract/field.js";
import { installedExtras } from "../src/extra.js";
import { PUBLISHED_RECORDS } from "../src/input/locating/files.js";
import { NOT_IN_SEARCH_REASONS } from "../src/publish/removals.js";

const answers = {
  reports: Count.describe("Listings with a report."),
  searchable: Count.describe("Listings in search."),
  historical: Count.describe("Public reports of older scans."),
};
const segments = {
  segments: Count.describe("Segments of the snapshot: a table and a pack each."),
  kept: Count.describe("How many of them were kept as they were."),
};
const NotInSearchReason = z.enum(LEFT_OUT_WORDS);
const KeptBack = z.array(
  z.strictObject({ host: Host, why: z.string().describe("The reason in one word.") }),
);
const explained = {
  published: z.boolean().describe("Whether the host has a report."),
  why: z.string().describe("The reason in one word."),
  reason: z.string().describe("The reason in plain words."),
};

const Lingering = z
  .array(z.strictObject({ id: SnapshotId, until: z.string().describe("In UTC.") }))
  .describe(
    "Former snapshots to be deleted that stay until then, because servers may still read them.",
  );

const Changes = z.strictObject({
  added: Count.describe("Listings that have a report now and had none."),
  changed: Count.describe("Listings with another answer, or other data in search."),
  gone: Count.describe("Listings that have no report any more."),
  scores: z
    .strictObject({
      up: Count,
      down: Count,
      lost: Count.describe("Listings that had a score, and keep a report without one."),
      gained: Count.describe("Listings that had a report without a score, and have one now."),
    })
    .describe("The scores of the changed listings."),
});

const Build = z.strictObject({
  ok,
  id: SnapshotId.nullable().describe("Null if a dry run would publish another snapshot."),
  dryRun: z.boolean().describe("Whether nothing was published, because of --dry-run."),
  changed: z.boolean().describe("Whether another snapshot was current before."),
  generation: Generation,
  changes: Changes.nullable().describe("Null if the snapshot before is damaged."),
  bytesWritten: Count.describe("Bytes of the snapshot's files that this build wrote."),
  seconds: z.number().min(0).describe("How long the build took."),
  counts: z.strictObject({
    ...answers,
    listings: Count.describe("Listings in the published directory."),
    scans: Count.describe("Scans in the published directory."),
  }),
  notInSearch: z
    .strictObject(Object.fromEntries(NOT_IN_SEARCH_REASONS.map((why) => [why, Count])))
    .describe("Listings that are not in search, by the reason."),
  ...segments,
  ...warnings,
  uncheckedRemovals: z
    .string()
    .nullable()
    .describe("Why removals could not be counted; null if they were."),
  lingering: Lingering,
});
const Validate = z.strictObject({ ok, listings: Count, scans: Count, ...warnings });
const Serve = z.strictObject({
  ok,
  url: z.string().describe("The server's own URL, without a slash at the end."),
  host: z.string(),
  port: z.int().min(1).max(65_535),
});
const Preview = Serve.omit({ host: true });
const Export = z.strictObject({
  ok,
  id: SnapshotId,
  written: Count.describe("Files that were written."),
  deleted: Count,
  unchanged: Count,
  warnings: z.array(z.string()).describe("Such as a tree that only paid plans of its host take."),
});
const verified = {
  id: SnapshotId.nullable().describe("The snapshot that was checked."),
  files: Count.describe("Files that were checked."),
  answers: Count.describe("Answers that were checked."),
  generation: Count.optional().describe("In its signature, if that was checked and is good."),
};
const BadFiles = z.array(
  z.strictObject({
    file: z.string().describe("Path in the store."),
    problem: z.string(),
    hosts: Hosts.describe("The listings whose answers are affected."),
  }),
);
const Verify = z.strictObject({ ok, ...verified, bad: BadFiles.max(0) });
const VerifyBad = z.strictObject({ ...failed, ...verified, bad: BadFiles.min(1) });
const Snapshots = z.strictObject({
  ok,
  snapshots: z
    .array(
      z.strictObject({
        id: SnapshotId,
        generation: Generation.nullable().describe("Null if the manifest is lost or damaged."),
        writtenAt: z
          .string()
          .nullable()
          .describe("When its manifest was written into this store, in UTC; null if that is lost."),
        isCurrent: z.boolean(),
        counts: z.strictObject(answers).nullable().describe("Null if it is damaged."),
        changes: Changes.nullable().describe(
          "Against the next one of this list; null for the last, or if one of both is damaged.",
        ),
      }),
    )
    .describe("The newest first."),
});
const Diff = z.strictObject({ ok, added: Hosts, changed: Hosts, removed: Hosts });
const Rollback = z.strictObject({
  ok,
  id: SnapshotId,
  dryRun: z.boolean().describe("Whether nothing was published, because of --dry-run."),
  former: SnapshotId.describe("The snapshot whose answers are published again."),
  replaced: SnapshotId.describe("The snapshot that was current before."),
  generation: Generation,
  counts: z.strictObject(answers),
  listings: z.strictObject({
    back: Hosts.describe("Hosts with their former answers."),
    withheld: KeptBack.describe(
      "Listings that keep the last build's answers: a withheld report, or what their plan opens now.",
    ),
    away: KeptBack.describe("Listings without a report."),
  }),
  ...segments,
});
const Withdraw = z.strictObject({
  ok,
  dryRun: z.boolean().describe("Whether nothing was published, because of --dry-run."),
  id: SnapshotId.describe("The snapshot that is current now."),
  replaced: SnapshotId.describe("The snapshot that was current before."),
  generation: Generation,
  counts: z.strictObject(answers),
  hosts: z.array(
    z.strictObject({
      host: Host,
      outcome: z.enum(["withdrawn", "recorded", "already", "restored", "not-withdrawn"]),
    }),
  ),
  held: z
    .array(z.strictObject({ id: SnapshotId, generation: Generation, hosts: Hosts }))
    .describe("Former snapshots in the store that still have one of the hosts."),
  lingering: Lingering,
  ...segments,
});
const Explain = z.strictObject({
  ok,
  given: z.string().describe("The host as it was typed."),
  host: Host,
  snapshot: SnapshotId,
  rolledBackTo: SnapshotId.nullable().describe("The snapshot that was rolled back to, or null."),
  ...explained,
  inSearch: z.boolean(),
  publishedScan: z.string().nullable(),
  historical: z.array(z.string()).describe("Scans with a public report, the newest first."),
  locked: z.array(z.string()).describe("Scans that the plan does not include."),
  lastIn: SnapshotId.nullable().describe("The newest former snapshot that has a report."),
  near: z.array(Host).describe("Hosts that may have been meant, if this one is absent."),
});
const ExplainAll = z.strictObject({
  ok,
  snapshot: SnapshotId,
  rolledBackTo: SnapshotId.nullable(),
  complete: z.boolean().describe("False if listings without a report are not known."),
  notInSearch: z.strictObject(Object.fromEntries(LEFT_OUT_WORDS.map((why) => [why, Count]))),
  listings: z.array(z.strictObject({ host: Host, ...explained, why: NotInSearchReason })),
});
const Init = z.strictObject({ ok, folder: z.string(), files: z.array(z.string()) });
const Sample = z.strictObject({ ok, folder: z.string(), listings: Count, scans: Count });
const Schema = z.strictObject({
  ok,
  record: z.enum(PUBLISHED_RECORDS),
  schema: z.looseObject({}).describe("A JSON Schema, draft 2020-12."),
});
const Completion = z.strictObject({
  ok,
  shell: z.enum(["bash", "zsh", "fish"]),
  script: z.string(),
});

/** The objects that each command of the core may print: the results, then the failures. */
const CORE_RESULTS: Readonly<Record<string, readonly z.ZodType[]>> = {
  build: [Build, BadInput, TooManyRemoved, Failed],
  validate: [Validate, BadInput, Failed],
  serve: [Serve, Failed],
  export: [Export, Failed],
  preview: [Preview, BadInput, Failed],
  verify: [Verify, VerifyBad, Failed],
  snapshots: [Snapshots, Failed],
  diff: [Diff, Failed],
  rollback: [Rollback, Failed],
  withdraw: [Withdraw, Failed],
  explain: [Explain, ExplainAll, Failed],
  try: [Serve, Failed],
  init: [Init, Failed],
  sample: [Sample, Failed],
  schema: [Schema, Failed],
  completion: [Completion, Failed],
};

const EXTRA_RESULTS = extraCommands.map(
  async ({ command, results }) => [command.name(), [...(await results()), Failed]] as const,
);
const RESULTS: Record<string, readonly z.ZodType[]> = {
  ...CORE_RESULTS,
  ...Object.fromEntries(await Promise.all(EXTRA_RESULTS)),
};
for (const { results } of installedExtras()) {
  for (const [name, more] of Object.entries((await results?.()) ?? {}))
    RESULTS[name] = [...(RESULTS[name] ?? []), ...more];
}

/** @returns the JSON Schema of the object that a command prints with `--json`, as a file's text */
export function resultSchema(command: string): string {
  const alternatives = RESULTS[command];
  if (alternatives === undefined) throw new TypeError(`no schema of the results of ${command}`);
  const title = `What crawldex ${command} --json prints`;
  const schema = jsonSchemaOf(z.union(alternatives).meta({ title }), "output");
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** @returns the names of the fields of a command's results, without those of failures */
export function resultFields(command: string): string[][] {
  return (RESULTS[command] ?? [])
    .filter((each) => each instanceof z.ZodObject)
    .filter(({ shape }) => shape.ok === ok)
    .map(({ shape }) => Object.keys(shape));
}
