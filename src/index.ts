export {
  BadPublishedError,
  type BuildOptions,
  type BuildResult,
  build,
  type Validation,
  validate,
} from "./build/build.js";
export type { OnProgress, Phase } from "./build/progress.js";
export type { MaxRemoved } from "./build/removal-limit.js";
export { TooManyRemovedError } from "./build/removals.js";
export { StoreWriteError } from "./files/disk.js";
export { StoreLockedError } from "./files/lock.js";
export { publishedSchema } from "./published/checking/json-schema.js";
export type { Problem } from "./published/checking/problem.js";
export { PUBLISHED_RECORDS, type PublishedRecord } from "./published/checking/record-kinds.js";
export { PublishedFolderError } from "./published/published.js";
export type {
  PublishedDirectory,
  PublishedListing,
  PublishedScan,
  PublishedStandards,
  PublishedTaxonomy,
} from "./published/records.js";
export { type RunningServer, type ServeOptions, serve } from "./runtime/http/server.js";
export { initPublished } from "./sample/minimal.js";
export { SampleRefusedError, writeSample } from "./sample/sample.js";
export { type ExportOptions, type ExportResult, exportSite } from "./site/export.js";
export { SiteRefusedError } from "./site/record.js";
export { BadSnapshotError, NoSnapshotError } from "./store/bad-snapshot.js";
export { diff, type SnapshotDiff } from "./upkeep/diff.js";
export { type Explanation, explain } from "./upkeep/explain.js";
export { type RollbackOptions, type RollbackResult, rollback } from "./upkeep/rollback.js";
export { type BadFile, type Verification, verify } from "./upkeep/verify.js";
