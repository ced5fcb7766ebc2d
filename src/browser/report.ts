import "./copy.js";
import "./search-key.js";
import type { Figures } from "../contract/figures.js";
import { markupText, shown } from "../pages/kit/escape.js";
import { badgeLook, badgeQuery } from "../pages/report/badge-look.js";
import { type Ranked, rankText } from "../pages/report/surroundings.js";
import { followFixes } from "./fixing.js";
import { fetchFile } from "./tree.js";

/*
 * The script of a report's page. It lets readers choose how the badge looks, and see what fixes would bring. In a tree
 * of files it also compares the score with the directory's figures, which the page itself does not have: it would
 * change whenever another listing does.
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

/** Updates the badge's picture, and the codes to embed it, to the look that a reader chooses. */
function followBuilder(builder: HTMLFieldSetElement, image: HTMLImageElement): void {
  const { src, dataset } = image;
  const address = dataset.address ?? "";
  const codes = [...document.querySelectorAll<HTMLElement>("#share pre")].map((element) => ({
    element,
    text: element.textContent ?? "",
  }));
  const choose = () => {
    const asked = new URLSearchParams();
    for (const { name, value } of builder.querySelectorAll<HTMLInputElement | HTMLSelectElement>(
      "[name]",
    )) {
      asked.set(name, value);
    }
    const query = badgeQuery(badgeLook(asked.toString()));
    const end = query === "" ? "" : `?${query}`;
    image.src = src + end;
    for (const { element, text } of codes) {
      const own = text.startsWith("<") ? markupText(end) : end;
      element.textContent = text.replaceAll(address, () => address + own);
    }
  };
  // The badge is as wide as its text.
  image.addEventListener("load", () => {
    image.width = image.naturalWidth;
  });
  builder.addEventListener("input", choose);
  // A browser may have kept choices from an earlier visit.
  choose();
}

const builder = document.querySelector<HTMLFieldSetElement>("#builder");
const image = document.querySelector<HTMLImageElement>("#share .badge");
if (builder !== null && image !== null) followBuilder(builder, image);

const fixing = document.getElementById("fixing");
if (fixing !== null) followFixes(fixing);
