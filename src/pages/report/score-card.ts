import type { HistoryEntry, Report } from "../../contract/report.js";
import { type Html, html } from "../kit/html.js";
import type { PageContext } from "../kit/page-context.js";
import { bandLabel, bandLevel, dayOf, levelOf, numberOf, visible } from "../kit/words.js";
import type { Outlook } from "./faults.js";
import { capNotice } from "./outlook-texts.js";
import { scoreText } from "./report-texts.js";
import { percentOf, rankText, type Surroundings, tenth } from "./surroundings.js";

/*
 * The score at a glance: its number and band, its position on a track of all bands, its change and its rank. Without
 * a score there is no number and no mark on the track.
 */

export function scoreCard(
  report: Report,
  { cap }: Outlook,
  context: PageContext,
  around: Surroundings,
): Html {
  const { scan } = report;
  if (scan.score === null) {
    return html`<div class="card"><p class="result"><strong class="no-score">No score</strong></p>
      <svg class="track" width="100%" height="12" aria-hidden="true">
      <rect class="track-none" width="100%" height="12" rx="6"/></svg></div>`;
  }
  const band = bandLabel(scan, context);
  const level = levelOf(scan, context);
  const chip = band === null ? null : html`<span class="band-name level-${level}">${band}</span>`;
  return html`<div class="card level-${level}"><p class="result"><span class="hidden">Score: </span>
    <strong class="number-large">${scan.score}</strong><span class="of"> of 100</span> ${chip}</p>
${track(scan.score, scan.scoreVersion, context)}
${
  cap === null
    ? null
    : html`<p><a href="#fixes">${capNotice(cap).title}</a></p>
`
}${changeLine(report)}${rankLine(report, context, around)}</div>`;
}

/** All bands as a strip from 0 to 100 with a mark at the score, and the same as a list. */
function track(score: number, scoreVersion: string | null, { rubric }: PageContext): Html {
  const isCurrent = scoreVersion === rubric.version;
  const bands = isCurrent ? rubric.bands.toSorted((one, other) => one.min - other.min) : [];
  const segments = bands.map(
    ({ band, min, max }) =>
      html`<rect class="level-${bandLevel(band, rubric)}" x="${stepOf(min)}" width="${stepOf(max - min + 1)}" y="10" height="12"/>`,
  );
  const names = bands.map(({ band, label, min, max }) => {
    const own = min <= score && score <= max ? OWN : null;
    return html`<li class="level-${bandLevel(band, rubric)}"${own}>
      <bdi>${visible(label) ?? band}</bdi> ${min}–${max}</li>`;
  });
  const version = visible(scoreVersion);
  const list = isCurrent
    ? html`<ul class="legend" aria-label="All bands">${names}</ul>`
    : html`<p class="quiet">${version === null ? "The scoring version is not known" : `Scored with version ${version}`}, so today’s bands and comparisons do not apply.</p>`;
  return html`<svg class="track" width="100%" height="26" aria-hidden="true">${
    isCurrent ? segments : html`<rect class="level-none" width="100%" y="10" height="12"/>`
  }<svg x="${stepOf(score + 0.5)}" overflow="visible"><path class="mark" d="M-7 0h14l-7 11z"/>
    <path class="mark" d="M-1 9h2v15h-2z"/></svg></svg>
${list}`;
}

const OWN = html` aria-current="true"`;

/** The position of a score on the track, which has one step for each of the 101 scores. */
function stepOf(score: number): string {
  return percentOf(score / 101);
}

/**
 * The scored scans of the report's own scoring version up to its own scan, oldest first. Empty if the plan shows no
 * history or the report has no score.
 */
function comparableScans({ history, scan }: Report): HistoryEntry[] {
  if (history === undefined || scan.score === null || scan.scoreVersion === null) return [];
  const own = history.findIndex(({ id }) => id === scan.id);
  if (own < 0) return [];
  return history
    .slice(own)
    .filter(({ score, scoreVersion }) => score !== null && scoreVersion === scan.scoreVersion)
    .toReversed();
}

/** The change since the previous comparable scan, with a small line of all of them; null if there is no such scan. */
function changeLine(report: Report): Html | null {
  const scans = comparableScans(report);
  const before = scans.at(-2);
  const { score } = report.scan;
  if (score === null || before === undefined || before.score === null) return null;
  const change = score - before.score;
  const since = `since ${dayOf(before.finishedAt)}`;
  const [kind, text] =
    change === 0
      ? ["same", "No change"]
      : [change > 0 ? "up" : "down", `${change > 0 ? "+" : ""}${numberOf(change)}`];
  return html`<p class="change"><strong class="${kind}">${text}</strong> ${since}${sparkline(scans)}</p>
`;
}

/** The most scans that the small line shows. */
const SPARK_MAX = 24;
const SPARK = { width: 120, height: 26, margin: 4 } as const;

function sparkline(scans: readonly HistoryEntry[]): Html {
  const scores = scans.slice(-SPARK_MAX).map(({ score }) => score ?? 0);
  const least = Math.min(...scores);
  const most = Math.max(...scores);
  const { width, height, margin } = SPARK;
  const points = scores.map((score, at) => {
    const x = margin + ((width - 2 * margin) * at) / (scores.length - 1);
    const share = most === least ? 0.5 : (score - least) / (most - least);
    return [tenth(x), tenth(height - margin - (height - 2 * margin) * share)];
  });
  const [x, y] = points.at(-1) ?? [];
  return html` <svg class="spark" width="${width}" height="${height}" aria-hidden="true">
    <polyline points="${points.map((point) => point.join(",")).join(" ")}"/>
    <circle cx="${x ?? 0}" cy="${y ?? 0}" r="3.5"/></svg>`;
}

/**
 * How the score compares with others, for the latest report with a score of the current scoring version. A page in a
 * file has an empty line, which its script fills.
 */
function rankLine(
  { scan }: Report,
  { rubric }: PageContext,
  { listing, figures }: Surroundings,
): Html | null {
  const { score, historical, scoreVersion } = scan;
  if (score === null || historical || scoreVersion !== rubric.version) return null;
  if (listing === null || figures === null) return null;
  const { slug, name } = listing.category ?? {};
  const category = slug === undefined ? null : { slug, name: visible(name ?? null) ?? slug };
  const text = figures === "fetched" ? "" : rankText(figures, { score, category });
  const known = JSON.stringify({ score, category });
  return html`<p id="rank" dir="auto" data-known="${known}">${text}</p>
`;
}

/** The score of a scan in a few words: `63 of 100, Open`. */
export function scoreWords(
  scan: Parameters<typeof bandLabel>[0] & { readonly score: number | null },
  context: PageContext,
): string {
  const band = bandLabel(scan, context);
  return `${scoreText(scan.score)}${scan.score === null || band === null ? "" : `, ${band}`}`;
}
