import { namesOf } from "../../contract/tables.js";

/* The lists of sites that changed: each is the sites of one kind of change in one period. */

/** The periods, by the number of days before the end of the last day of publication. */
export const PERIOD_DAYS = { last: 1, week: 7, month: 30 } as const;
export type PeriodId = keyof typeof PERIOD_DAYS;

/** The kinds of changes, in the order in which pages show them. */
export const CHANGE_KINDS = [
  "risen",
  "fallen",
  "scored",
  "unscored",
  "new",
  "returned",
  "gone",
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Sites on a page of a list. */
export const LIST_PAGE_SIZE = 200;

/** A page of a list. */
export interface ListName {
  readonly period: PeriodId;
  readonly kind: ChangeKind;
  /** Counted from 1. */
  readonly page: number;
}

/** The address of a page of a list, relative to `/`. */
export function listAddress(period: PeriodId, kind: ChangeKind, page = 1): string {
  return `changed/${period}-${kind}${page === 1 ? "" : `-${page}`}`;
}

const LIST_NAME = /^(?<period>[a-z]+)-(?<kind>[a-z]+)(?:-(?<page>[2-9]|[1-9]\d{1,3}))?$/;

/** Parses the name of a page of a list; null for any other text. */
export function listNamed(name: string): ListName | null {
  const { period, kind, page = "1" } = LIST_NAME.exec(name)?.groups ?? {};
  const ownPeriod = namesOf(PERIOD_DAYS).find((one) => one === period);
  const ownKind = CHANGE_KINDS.find((one) => one === kind);
  if (ownPeriod === undefined || ownKind === undefined) return null;
  return { period: ownPeriod, kind: ownKind, page: Number(page) };
}
