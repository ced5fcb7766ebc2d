/*
 * A strict reader of Prometheus' text format 0.0.4, as far as a server may write it: every sample below its own
 * HELP and TYPE, no name twice, empty lines ignored, labels escaped as the format has it.
 */

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const NUMBER = "\\+Inf|-Inf|NaN|-?[0-9]+(?:\\.[0-9]+)?(?:e[+-]?[0-9]+)?";
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? (${NUMBER})$`);
const SUFFIXES: Record<string, readonly string[]> = { histogram: ["_bucket", "_sum", "_count"] };

/** The families by their names. @throws at the first line that the format does not allow */
export function readMetrics(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  const families = new Map<string, Family & { samples: Sample[] }>();
  const lines = text.split("\n").filter((line) => line !== "");
  for (let at = 0; at < lines.length; ) {
    const help = new RegExp(`^# HELP (${NAME}) .+$`).exec(lines[at] ?? "");
    const type = /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(lines[at + 1] ?? "");
    if (help === null || type === null || help[1] !== type[1]) bad(lines[at]);
    const [, name = "", kind = ""] = type as RegExpExecArray;
    if (families.has(name)) throw new Error(`${name} is there twice`);
    const family = { name, type: kind, samples: [] as Sample[] };
    families.set(name, family);
    at += 2;
    for (; at < lines.length && !lines[at]?.startsWith("#"); at += 1) {
      family.samples.push(readSample(lines[at] ?? "", family));
    }
    const keys = family.samples.map(({ name: own, labels }) => own + JSON.stringify(labels));
    if (new Set(keys).size < keys.length) throw new Error(`${name} has a sample twice`);
  }
  return families;
}

function readSample(line: string, { name, type }: Family): Sample {
  const [, own = "", pairs = "", value = ""] = SAMPLE.exec(line) ?? bad(line);
  if (!(SUFFIXES[type] ?? [""]).some((suffix) => own === name + suffix)) bad(line);
  const labels: Record<string, string> = {};
  for (const [pair] of pairs.matchAll(new RegExp(LABEL, "g"))) {
    const split = pair.indexOf("=");
    const label = pair.slice(0, split);
    if (label in labels) bad(line);
    labels[label] = pair
      .slice(split + 2, -1)
      .replace(/\\(.)/g, (_, sign: string) => (sign === "n" ? "\n" : sign));
  }
  return { name: own, labels, value: value === "+Inf" ? Number.POSITIVE_INFINITY : Number(value) };
}

function bad(line: string | undefined): never {
  throw new Error(`not Prometheus' text format: ${line}`);
}

/** The one sample of a family without labels. */
export function valueNamed(
  families: ReadonlyMap<string, Family>,
  name: string,
): number | undefined {
  return families.get(name)?.samples.find(({ labels }) => Object.keys(labels).length === 0)?.value;
}

/** Counts by `<route> <status>`. */
export function requestsOf(families: ReadonlyMap<string, Family>): Record<string, number> {
  const { samples = [] } = families.get("crawldex_requests_total") ?? {};
  return Object.fromEntries(
    samples.map(({ labels: { route, status }, value }) => [`${route} ${status}`, value]),
  );
}
