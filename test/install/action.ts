import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "../house/sources.js";
import type { Machine } from "./machine.js";

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/** What a run of the action has left. */
export interface ActionRun {
  /** Null if all steps have succeeded; otherwise what the failed one has printed. */
  readonly failure: string | null;
  readonly printed: string;
  /** The summary of the job, in Markdown. */
  readonly summary: string;
  readonly outputs: string;
  /** The steps that upload: the action and the path of each. */
  readonly uploads: readonly string[];
}

export const ACTION: Action = parse(readFileSync(join(ROOT, "action.yml"), "utf8"));

/** Evaluates an expression of a workflow. It knows the forms that the action has. */
function evaluated(expression: string, inputs: Readonly<Record<string, string>>): unknown {
  const code = expression
    .replaceAll(/inputs\.([\w-]+)/g, (_, name: string) => JSON.stringify(inputs[name]))
    .replaceAll("github.action_path", JSON.stringify(ROOT))
    .replaceAll("always()", "true");
  return new Function(`return ${code};`)();
}

function filled(text: string, inputs: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{\{ (.*?) \}\}/g, (_, code: string) => `${evaluated(code, inputs)}`);
}

/**
 * Runs the steps of `action.yml` as GitHub's runner does. Steps that use other actions do nothing.
 * @param cwd the folder of the repository that uses the action
 */
export async function runAction(
  machine: Machine,
  cwd: string,
  given: Readonly<Record<string, string>>,
): Promise<ActionRun> {
  const defaults = Object.entries(ACTION.inputs).map(([name, input]) => [name, input.default]);
  const inputs: Record<string, string> = { ...Object.fromEntries(defaults), ...given };
  const files = machine.folder("runner");
  const place = (name: string) => join(files, name);
  for (const name of ["summary", "outputs"]) writeFileSync(place(name), "");
  mkdirSync(place("temp"), { recursive: true });
  const runner = {
    GITHUB_ACTIONS: "true",
    GITHUB_WORKSPACE: cwd,
    GITHUB_STEP_SUMMARY: place("summary"),
    GITHUB_OUTPUT: place("outputs"),
    RUNNER_TEMP: place("temp"),
  };
  let failure: string | null = null;
  let printed = "";
  const uploads: string[] = [];
  for (const { if: condition = "true", uses, run, env = {}, with: words } of ACTION.runs.steps) {
    if (failure !== null && !condition.includes("always()")) continue;
    if (evaluated(condition, inputs) !== true) continue;
    if (uses?.includes("upload")) uploads.push(`${uses} ${filled(words?.path ?? "", inputs)}`);
    if (run === undefined) continue;
    const own = Object.entries(env).map(([name, value]) => [name, filled(value, inputs)]);
    const step = { ...runner, ...Object.fromEntries(own) };
    const output = machine.run(`exec 2>&1\n${run}`, cwd, step).catch((error: Error) => {
      failure ??= error.message;
      return error.message;
    });
    printed += await output;
  }
  const text = (name: string) => readFileSync(place(name), "utf8");
  return { failure, printed, summary: text("summary"), outputs: text("outputs"), uploads };
}
