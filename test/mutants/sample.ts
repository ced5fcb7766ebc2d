import { createHash } from "node:crypto";

/*
 * Stryker tries all mutants of the rooms, some thousands. This plugin has it try a random sample of them, and tells
 * the sample's score. Other mutants with SEED; another share of them with SHARE.
 */

const SEED = process.env.SEED ?? "1";
const SHARE = Number(process.env.SHARE ?? 0.11);
const SCORE_MIN = 90;

interface Mutant {
  readonly id: string;
  readonly mutatorName: string;
  readonly replacement?: string;
  readonly location: { readonly start: { readonly line: number; readonly column: number } };
}
type Tried = Mutant & { readonly status: string };
interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Tried[] }>>;
}

/**
 * A mutant's own line: the same in each run, as long as its file does not change.
 * @param path of its file, which may lie in a copy of the project
 */
function lineOf(path: string, { mutatorName, replacement, location: { start } }: Mutant): string {
  const file = path.slice(path.lastIndexOf("src/"));
  return `${file}:${start.line}:${start.column} ${mutatorName}: ${replacement ?? ""}`;
}

function isSampled(line: string): boolean {
  const digest = createHash("sha256").update(`${SEED} ${line}`).digest();
  return digest.readUInt32BE() / 2 ** 32 < SHARE;
}

/** Lets the tests run for the sampled mutants alone. */
const checker = {
  init: async () => {},
  group: async (mutants: readonly Mutant[]) => [mutants.map(({ id }) => id)],
  check: async (mutants: readonly (Mutant & { readonly fileName: string })[]) =>
    Object.fromEntries(
      mutants.map((mutant) => {
        const isIn = isSampled(lineOf(mutant.fileName, mutant));
        return [
          mutant.id,
          isIn ? { status: "passed" } : { status: "compileError", reason: "not sampled" },
        ];
      }),
    ),
};

const reporter = {
  /** Each mutant as soon as it was tried: a run takes long. */
  onMutantTested(mutant: Tried & { readonly fileName: string }) {
    if (mutant.status === "CompileError" || mutant.status === "Ignored") return;
    const line = lineOf(mutant.fileName, mutant);
    process.stdout.write(`${mutant.status} ${line}\n`);
  },
  onMutationTestReportReady({ files }: Report) {
    const tried = Object.entries(files).flatMap(([file, { mutants }]) =>
      mutants
        .map((mutant) => ({ status: mutant.status, line: lineOf(file, mutant) }))
        .filter(({ line }) => isSampled(line)),
    );
    const left = tried.filter(({ status }) => status === "Survived" || status === "NoCoverage");
    const valid = tried.filter(({ status }) => status !== "CompileError" && status !== "Ignored");
    const score = (100 * (valid.length - left.length)) / valid.length;
    const lines = left.map(({ status, line }) => `${status} ${line}\n`);
    const summary = `SEED=${SEED}: ${valid.length} mutants, score ${score.toFixed(1)} %\n`;
    process.stdout.write(lines.join("") + summary);
    if (!(score >= SCORE_MIN)) process.exitCode = 1;
  },
};

export const strykerPlugins = [
  { kind: "Checker", name: "sample", factory: () => checker },
  { kind: "Reporter", name: "sample", factory: () => reporter },
];
