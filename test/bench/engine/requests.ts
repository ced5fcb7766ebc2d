import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  ListingFilters,
  type QueryReading,
  readQuery,
  SearchQuery,
  SuggestionsQuery,
} from "../../../src/contract/query.js";
import type { Adversaries } from "./adversarial.js";
import type { Read, Workload } from "./workload.js";

/** Answers the three reads with whole JSON bodies. */
export interface Answerer {
  search(query: SearchQuery): Promise<Uint8Array>;
  facets(query: ListingFilters): Promise<Uint8Array>;
  suggest(query: SuggestionsQuery): Promise<Uint8Array>;
}

/** One request, read by the contract's schemas beforehand: reading it is not measured. */
export type Ask = (answerer: Answerer) => Promise<Uint8Array>;

/** What `prepare` leaves for the measuring processes. */
export interface Requests {
  /** Asked before anything is measured, and never again. */
  readonly warmUp: Workload;
  readonly measured: Workload;
  /** Those of the measured ones that have a text which is in no field that the read looks at. */
  readonly misses: Workload;
  readonly adversaries: Adversaries;
  /** The substring of three characters that the most listings hold. */
  readonly commonest: string;
}

export function loadRequests(folder: string): Requests {
  return JSON.parse(readFileSync(join(folder, "requests.json"), "utf8")) as Requests;
}

/** @throws Error where the workload has a request that the contract refuses */
export function askers(read: Read, raws: readonly string[]): Ask[] {
  return raws.map((raw): Ask => {
    if (read === "search") {
      const query = parsed(readQuery(SearchQuery, raw), raw);
      return (answerer) => answerer.search(query);
    }
    if (read === "facets") {
      const query = parsed(readQuery(ListingFilters, raw), raw);
      return (answerer) => answerer.facets(query);
    }
    const query = parsed(readQuery(SuggestionsQuery, raw), raw);
    return (answerer) => answerer.suggest(query);
  });
}

function parsed<T>(reading: QueryReading<T>, raw: string): T {
  if (reading.ok) return reading.value;
  throw new Error(`not a legal request: ${raw} ${JSON.stringify(reading.issues)}`);
}

/**
 * Microseconds since some moment: those of the wall, or those of work, which is what all threads of this
 * process had of the processors. On a machine that others use only the latter mean anything.
 */
export const CLOCKS = {
  wall: () => performance.now() * 1_000,
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
} as const;
export type Clock = keyof typeof CLOCKS;

/** Asks each once. @returns microseconds a request, in the requests' order */
export async function time(
  answerer: Answerer,
  asks: readonly Ask[],
  clock: Clock,
): Promise<number[]> {
  const now = CLOCKS[clock];
  const times: number[] = [];
  for (const ask of asks) {
    const started = now();
    await ask(answerer);
    times.push(now() - started);
  }
  return times;
}
