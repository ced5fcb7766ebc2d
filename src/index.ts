/*
 * The library: one function for each command. Each is called as `name(target, options)`. All options may be left out
 * and then have the command line's defaults. A wrong argument rejects with a TypeError that names it.
 */
export {
  BadPublishedError,
  type BuildResult,
  build,
  type Validation,
  validate,
} from "./build/build.js";
export type { TombstoneReason } from "./build/erasure.js";
export { joinParts, PartsRefusedError } from "./build/join-shares.js";
export type { BuildOptions, JoinOptions, SplitOptions, ValidateOptions } from "./build/options.js";
export type { MaxRemoved } from "./build/removal-limit.js";
export type { BuildChanges, NotInSearchCounts, NotInSearchReason } from "./build/removals.js";
export {
  type RefusedInput,
  TooManyRemovedError,
} from "./build/removals.js";
export {
  SplitRefusedError,
  type SplitResult,
  splitPublished,
} from "./build/split.js";
export { StoreWriteError } from "./files/disk.js";
export { StoreLockedError } from "./files/lock.js";
export type { OnProgress, Phase } from "./options/options.js";
export { type JsonSchema, publishedSchema } from "./published/checking/json-schema.js";
export {
  BadInputError,
  type Problem,
  type ProblemGroup,
  type Problems,
  type Warnings,
} from "./published/checking/problem.js";
export type { TableKind, UnusedColumn } from "./published/importing/columns.js";
export {
  type AddedTerms,
  type ImportOptions,
  type ImportResult,
  importTable,
  TableRefusedError,
} from "./published/importing/import.js";
export {
  PUBLISHED_RECORDS,
  PublishedFolderError,
  type PublishedRecord,
} from "./published/locating/files.js";
export type {
  PublishedDirectory,
  PublishedListing,
  PublishedScan,
  PublishedStandards,
  PublishedTaxonomy,
} from "./published/records.js";
export {
  RemoteBusyError,
  RemoteError,
  RemoteRefusedError,
  RemoteSnapshotError,
} from "./remote/failures.js";
export type { PullOptions, PushOptions } from "./remote/options.js";
export { type PullResult, pull } from "./remote/pull.js";
export { type PushResult, push } from "./remote/push.js";
export type { ServeOptions } from "./replica/options.js";
export { serve } from "./replica/serve.js";
export type { RunningServer } from "./runtime/http/server.js";
export type { Log } from "./runtime/observe/observer.js";
export type { SampleOptions } from "./sample/options.js";
export {
  initPublished,
  SampleRefusedError,
  type SampleSize,
  writeSample,
} from "./sample/sample.js";
export { type GeneratedKeys, KeyExistsError, keygen } from "./signing/sign.js";
export { SignatureError } from "./signing/verify.js";
export { type ExportResult, exportSite } from "./site/export.js";
export type { Contents, HostName } from "./site/layout.js";
export type { ExportOptions } from "./site/options.js";
export { SiteRefusedError } from "./site/record.js";
export { BadSnapshotError, NoSnapshotError } from "./store/bad-snapshot.js";
export { folderStore } from "./store/folder-source.js";
export type { SnapshotCounts } from "./store/format.js";
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
