import type { Figures } from "../contract/figures.js";
import { shown } from "../pages/kit/escape.js";
import { counted } from "../pages/kit/words.js";
import { type FixingFacts, scoreWith, type TickedFix } from "../pages/report/fixing.js";
import { markPosition } from "../pages/report/score-track.js";
import { placeText, type Ranked } from "../pages/report/surroundings.js";
import { fetchFile } from "./tree.js";

/*
 * Shows what a report's score becomes with the fixes that a reader ticks. The address of the page names them, so that
 * a link shows the same.
 */

/** The parameter of the address: ids of checks with commas between them. */
const PARAMETER = "fixed";

/** The figures of the directory, read once some fix is ticked; null if they cannot be read. */
let figures: Promise<Figures | null> | null = null;

async function readFigures(): Promise<Figures | null> {
  const response = await fetchFile("figures.json");
  return response.ok ? response.json() : null;
}

/** The place that the site would have; "" where the page does not compare the score. */
async function placeWith(score: number): Promise<string> {
  const known = document.getElementById("rank")?.dataset.known;
  if (known === undefined) return "";
  figures ??= readFigures().catch(() => null);
  const read = await figures;
  const ranked: Ranked = JSON.parse(known);
  return read === null ? "" : shown(placeText(read, ranked, score));
}

function setText(id: string, text: string): HTMLElement | null {
  const element = document.getElementById(id);
  if (element !== null) element.textContent = text;
  return element;
}

/** Follows the boxes of a report. @param panel shows the score */
export function followFixes(panel: HTMLElement): void {
  const facts: FixingFacts = JSON.parse(panel.dataset.known ?? "");
  const boxes = [...document.querySelectorAll<HTMLInputElement>(".tick input")];
  const ticked = () => boxes.filter(({ checked }) => checked);

  const show = async () => {
    const made = ticked().map(
      ({ value, dataset }): TickedFix => ({
        id: value,
        points: Number(dataset.points),
        isLifting: dataset.lifting !== undefined,
      }),
    );
    panel.hidden = made.length === 0;
    if (made.length === 0) {
      setText("fixing-told", "");
      return;
    }
    const score = scoreWith(facts, made);
    const band = facts.bands.find(({ min, max }) => min <= score && score <= max);
    const count = counted(made.length, "fix", "fixes");
    const isHeld = score === facts.cap && !made.some(({ isLifting }) => isLifting);
    const points = score - facts.score;
    const gain = isHeld ? `still capped at ${score}` : `+${points}`;
    panel.className = `fixing level-${band?.level ?? "none"}`;
    setText("fixed-count", count);
    setText("fixed-score", String(score));
    setText("fixed-gain", gain);
    const bandName = setText("fixed-band", shown(band?.label ?? ""));
    if (bandName !== null) bandName.hidden = band === undefined;
    panel.querySelector(".track svg")?.setAttribute("x", markPosition(score));
    const place = await placeWith(score);
    // The reader may have ticked another one in the meantime.
    if (ticked().length !== made.length) return;
    setText("fixed-place", place);
    const told = isHeld ? gain : `+${counted(points, "point")}`;
    const texts = [`With ${count}: ${score} of 100`, band?.label, told, place];
    setText("fixing-told", shown(texts.filter(Boolean).join(". ")));
  };

  const keep = () => {
    const address = new URL(location.href);
    const ids = ticked().map(({ value }) => value);
    address.searchParams.delete(PARAMETER);
    // A comma between ids stays readable.
    const rest = address.searchParams.toString();
    const own = ids.length === 0 ? "" : `${PARAMETER}=${ids.map(encodeURIComponent).join(",")}`;
    address.search = [rest, own].filter(Boolean).join("&");
    history.replaceState(history.state, "", address);
  };

  const asked = (new URLSearchParams(location.search).get(PARAMETER) ?? "").split(",");
  for (const box of boxes) {
    box.checked = asked.includes(box.value);
    box.disabled = false;
    box.addEventListener("change", () => {
      keep();
      void show();
    });
  }
  document.getElementById("unfix")?.addEventListener("click", () => {
    const [first] = ticked();
    for (const box of boxes) box.checked = false;
    keep();
    void show();
    // The button is hidden now, and would lose the focus to the page.
    first?.focus();
  });
  void show();
}
