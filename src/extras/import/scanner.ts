/** A site that the file of a scanner reports on. */
export interface ScannedSite {
  /** Canonical. */
  readonly host: string;
  /** The address that was scanned, for a listing that is not there yet. */
  readonly url: string;
  /** A scan as docs/publishing.md describes it, without defaults. Its host is the site's. */
  readonly scan: Readonly<Record<string, unknown>>;
}

/** How the files of a scanner are read. */
export interface ScannerFormat {
  /** What `--from` names it by. */
  readonly name: string;
  /** Whether a parsed file is one of this scanner's. */
  isOne(json: unknown): boolean;
  /** A standards.json for its results. */
  standards(json: unknown): Readonly<Record<string, unknown>>;
  /** @throws ScannedFileError for what it cannot read */
  sites(json: unknown): readonly ScannedSite[];
}

/** A part of a scanner's file cannot be read. */
export class ScannedFileError extends Error {
  override readonly name = "ScannedFileError";
  /** The keys and indexes that lead to the part. */
  readonly path: readonly (string | number)[];

  constructor(path: readonly (string | number)[], message: string) {
    super(message);
    this.path = path;
  }
}

/** The formats that `--from` knows. */
export const FORMATS: readonly ScannerFormat[] = [];
