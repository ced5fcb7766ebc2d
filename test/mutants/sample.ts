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

/** The sampled mutants that were tried. */
const all: { readonly status: string; readonly line: string }[] = [];

const reporter = {
  /** Each mutant as soon as it was tried: a run takes long. */
  onMutantTested(mutant: Tried & { readonly fileName: string }) {
    const { status } = mutant;
    if (status === "CompileError" || status === "Ignored") return;
    const line = lineOf(mutant.fileName, mutant);
    all.push({ status, line });
    process.stdout.write(`${status} ${line}\n`);
  },
  onMutationTestReportReady() {
    const left = all.filter(({ status }) => status === "Survived" || status === "NoCoverage");
    const score = (100 * (all.length - left.length)) / all.length;
    const lines = left.map(({ status, line }) => `${status} ${line}\n`);
    const summary = `SEED=${SEED}: ${all.length} mutants, score ${score.toFixed(1)}%\n`;
    process.stdout.write(lines.join("") + summary);
    if (!(score >= SCORE_MIN)) process.exitCode = 1;
  },
};

export const strykerPlugins = [
  { kind: "Checker", name: "sample", factory: () => checker },
  { kind: "Reporter", name: "sample", factory: () => reporter },
];
