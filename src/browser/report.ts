import "./copy.js";
import type { Figures } from "../contract/figures.js";
import { shown } from "../pages/kit/escape.js";
import { type Ranked, rankText } from "../pages/report/surroundings.js";
import { fetchFile } from "./tree.js";

/*
 * The script of a report's page. In a tree of files it also compares the score with the directory's figures, which the
 * page itself does not have: it would change whenever another listing does.
 */

async function compareScore(line: HTMLElement): Promise<void> {
  const response = await fetchFile("figures.json");
  if (!response.ok) return;
  const figures: Figures = await response.json();
  // The page itself holds this, as the server would have compared it.
  const known: Ranked = JSON.parse(line.dataset.known ?? "");
  line.textContent = shown(rankText(figures, known));
}

const rank = document.getElementById("rank");
// Without the figures the page only lacks a comparison.
if (rank !== null && rank.textContent === "") compareScore(rank).catch(() => {});

/*
 * Makes tabs of parts that a page shows one after another (the tabs pattern of the ARIA Authoring Practices). Without a
 * script, all parts stay open below their headings.
 */

function makeTabs(group: HTMLElement): void {
  const panels = [...group.children].filter((child) => child instanceof HTMLElement);
  if (panels.length < 2) return;
  const list = document.createElement("div");
  list.className = "tabs";
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", group.dataset.tabs ?? "");
  const tabs = panels.map((panel) => {
    const tab = tabOf(panel);
    list.append(tab);
    return tab;
  });
  const open = (place: number) => {
    for (const [at, panel] of panels.entries()) {
      panel.hidden = at !== place;
      tabs[at]?.setAttribute("aria-selected", String(at === place));
      tabs[at]?.setAttribute("tabindex", at === place ? "0" : "-1");
    }
  };
  list.addEventListener("keydown", (event) => {
    const from = tabs.findIndex((tab) => tab.matches(":focus"));
    const steps: Record<string, number> = {
      ArrowRight: (from + 1) % tabs.length,
      ArrowLeft: (from + tabs.length - 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const place = steps[event.key];
    if (from < 0 || place === undefined) return;
    event.preventDefault();
    open(place);
    tabs[place]?.focus();
  });
  for (const [place, tab] of tabs.entries()) tab.addEventListener("click", () => open(place));
  group.prepend(list);
  open(0);
}

/** The tab of a panel, with the text of the panel's heading, which it replaces. */
function tabOf(panel: HTMLElement): HTMLElement {
  const heading = panel.querySelector("h3");
  const name = heading?.id ?? "";
  const tab = document.createElement("button");
  tab.type = "button";
  tab.id = `tab-${name}`;
  tab.textContent = heading?.textContent ?? "";
  tab.setAttribute("role", "tab");
  tab.setAttribute("aria-controls", `panel-${name}`);
  panel.id = `panel-${name}`;
  panel.setAttribute("role", "tabpanel");
  panel.setAttribute("aria-labelledby", tab.id);
  if (heading !== null) heading.hidden = true;
  return tab;
}

for (const group of document.querySelectorAll<HTMLElement>("[data-tabs]")) makeTabs(group);
