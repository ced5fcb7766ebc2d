/*
 * The library: one function for each command. Each is called as `name(target, options)`. All options may be left out
 * and then have the command line's defaults. A wrong argument rejects with a TypeError that names it.
 */
import { installExtras } from "./extra.js";
import { EXTRAS } from "./extras/index.js";

export { type ExportResult, exportSite } from "./export/export.js";
export type { Contents, HostName } from "./export/layout.js";
export type { ExportOptions, ExtraExportOptions } from "./export/options.js";
export { SiteRefusedError } from "./export/record.js";
export { StoreWriteError } from "./files/disk.js";
export { StoreLockedError } from "./files/lock.js";
export { PROBLEM_CODES, type ProblemCode, type WarningCode } from "./input/checking/codes.js";
export { type JsonSchema, publishedSchema } from "./input/checking/json-schema.js";
export {
  BadInputError,
  type Problem,
  type ProblemGroup,
  type Problems,
  type Warnings,
} from "./input/checking/problem.js";
export {
  PUBLISHED_RECORDS,
  PublishedFolderError,
  type PublishedRecord,
} from "./input/locating/files.js";
export type {
  PublishedDirectory,
  PublishedListing,
  PublishedScan,
  PublishedStandards,
  PublishedTaxonomy,
} from "./input/records.js";
export type { OnProgress, Phase } from "./lib/options.js";
export {
  BadPublishedError,
  type BuildResult,
  build,
  type Validation,
  validate,
} from "./publish/build.js";
export type { TombstoneReason } from "./publish/erasure.js";
export type {
  BuildOptions,
  ExtraBuildOptions,
  ValidateOptions,
} from "./publish/options.js";
export type { MaxRemoved } from "./publish/removal-limit.js";
export type { BuildChanges, NotInSearchCounts, NotInSearchReason } from "./publish/removals.js";
export {
  type RefusedInput,
  TooManyRemovedError,
} from "./publish/removals.js";
export type { SampleOptions } from "./sample/options.js";
export {
  initPublished,
  SampleRefusedError,
  type SampleSize,
  writeSample,
} from "./sample/sample.js";
export type { Log } from "./server/observer.js";
export type { ExtraServeOptions, ServeOptions } from "./server/options.js";
export { serve } from "./server/serve.js";
export type { RunningServer } from "./server/server.js";
export { BadSnapshotError, NoSnapshotError } from "./store/bad-snapshot.js";
export { folderStore } from "./store/folder-source.js";
export type { SnapshotCounts } from "./store/format.js";
export { SignatureError } from "./store/signature.js";
export type { ExtraSignOptions, ExtraVerifyOptions } from "./store/signers.js";
export type { ByteRange, ByteSource } from "./store/source.js";
export { type ExplainOptions, type Explanation, explain } from "./upkeep/explain.js";
export type { RollbackOptions } from "./upkeep/options.js";
export { type RollbackResult, rollback } from "./upkeep/rollback.js";
export type { KeptBack, KeptBackListing, RollbackListings } from "./upkeep/rollback-segments.js";
export {
  type DiffOptions,
  diff,
  type SnapshotDiff,
  type StoredSnapshotFacts,
  snapshots,
} from "./upkeep/snapshots.js";
export { type BadFile, type Verification, type VerifyOptions, verify } from "./upkeep/verify.js";

installExtras(EXTRAS);
