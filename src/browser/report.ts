import "./badge-builder.js";
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
