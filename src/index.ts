export { publishedSchema } from "./published/json-schema.js";
export type { Problem } from "./published/problem.js";
export { PublishedFolderError } from "./published/published.js";
export { PUBLISHED_RECORDS, type PublishedRecord } from "./published/record-kinds.js";
export { type RunningServer, type ServeOptions, serve } from "./runtime/server.js";
export { SampleRefusedError, writeSample } from "./sample/sample.js";
export { type ExportOptions, type ExportResult, exportSite } from "./site/export.js";
export { SiteRefusedError } from "./site/record.js";
export { BadSnapshotError, NoSnapshotError } from "./store/bad-snapshot.js";
export {
  BadPublishedError,
  type BuildOptions,
  type BuildResult,
  build,
  type Validation,
  validate,
} from "./store/build.js";
export { diff, type SnapshotDiff } from "./store/diff.js";
export { StoreWriteError } from "./store/disk.js";
export { type Explanation, explain } from "./store/explain.js";
export { StoreLockedError } from "./store/lock.js";
export type { OnProgress, Phase } from "./store/progress.js";
export type { MaxRemoved } from "./store/removal-limit.js";
export { TooManyRemovedError } from "./store/removals.js";
export { type RollbackOptions, type RollbackResult, rollback } from "./store/rollback.js";
export { type BadFile, type Verification, verify } from "./store/verify.js";
