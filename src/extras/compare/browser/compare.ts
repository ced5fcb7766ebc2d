import { fill } from "../../../browser/dom.js";
import type { Report } from "../../../contract/report.js";
import { counted } from "../../../pages/kit/words.js";
import { type ComparedSite, comparedSite } from "../../../pages/report/comparison.js";
import { comparedTexts } from "../compared-query.js";
import { type CompareMethodology, compareView, comparisonCsv } from "../comparison.js";
import "../../../browser/register.js";
import "../../../browser/search-key.js";
import { linkTo } from "../../../browser/tree.js";
import { treeFetch } from "../../../browser/tree-search.js";

/* In a tree of files, no server compares the sites in the address. This script reads their reports and does so. */

const read = treeFetch();

/** A site's report; null if it has none. */
async function readReport(host: string): Promise<ComparedSite | null> {
  const response = await read(`api/sites/${encodeURIComponent(host)}/report`);
  if (response.status === 404) return null;
  if (!response.ok) throw new Error(`${response.status}`);
  const { data }: { readonly data: Report } = await response.json();
  return comparedSite(data);
}

async function compare(target: Element): Promise<string> {
  const text = document.getElementById("methodology")?.textContent ?? "";
  const methodology: CompareMethodology = { ...JSON.parse(text), to: linkTo };
  const asked = await Promise.all(
    hosts.map(async (host) => [host, await readReport(host)] as const),
  );
  fill(target, compareView(asked, others, methodology));
  const sites = asked.flatMap(([, site]) => site ?? []);
  const csv = document.querySelector("#csv");
  const link = csv?.querySelector("a");
  if (sites.length > 0 && csv instanceof HTMLElement && link) {
    const table = new Blob([comparisonCsv(sites, methodology.checkIds)], { type: "text/csv" });
    link.href = URL.createObjectURL(table);
    link.download = "compare.csv";
    csv.hidden = false;
  }
  return counted(sites.length, "site");
}

const { hosts, others: otherTexts } = comparedTexts(location.search);
const others = [...otherTexts.keys()];
const target = document.querySelector("#comparison");
const told = document.querySelector("#told");
const input = document.querySelector<HTMLInputElement>('input[name="sites"]');
if (hosts.length + others.length > 0 && target !== null && told !== null) {
  if (input !== null) input.value = [...hosts, ...others].join(", ");
  told.textContent = "Reading the reports…";
  compare(target).then(
    (outcome) => {
      told.textContent = outcome;
    },
    () => {
      told.textContent = navigator.onLine
        ? "A report could not be read. Load the page again to retry."
        : "You are offline. The reports could not be read.";
    },
  );
}
