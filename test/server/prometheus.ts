/** A sample of a family of metrics. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly samples: Sample[];
}

/** Reads Prometheus' text format: the families by their names. @throws at a sample outside its family */
export function readMetrics(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  let current = "";
  for (const line of text.split("\n").filter(Boolean)) {
    const [, type] = /^# TYPE (\w+) (?:counter|gauge|histogram)$/.exec(line) ?? [];
    if (type !== undefined) {
      if (families.has(type)) throw new Error(`${type} is there twice`);
      families.set(type, { samples: [] });
      current = type;
    }
    if (line.startsWith("#")) continue;
    const [, name = "", pairs = "", value = ""] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (!name.startsWith(current) || value === "") throw new Error(`not a sample: ${line}`);
    const labels = [...pairs.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, own]) => [label, own]);
    families
      .get(current)
      ?.samples.push({ name, labels: Object.fromEntries(labels), value: Number(value) });
  }
  return families;
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
