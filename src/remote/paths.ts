import type { NewObject } from "./s3-bucket.js";

/*
 * The files of a remote store. They have the paths of a local store. Beside them are the generations, the hint
 * `current.json`, and, while a push deletes old files, its mark.
 */

const DIGEST = "[0-9a-f]{32}";
/** No segment is `.` or `..`: an address would lead to another object. */
const DOCUMENT = "public(?:/(?!\\.{1,2}(?:/|$))[\\w.-]+)+";

/** The files of snapshots. A push deletes nothing else but old generations and marks. */
const CONTENT = new RegExp(
  `^(?:(?:index|reports|search)/[0-9]+-${DIGEST}\\.(?:json|ndjson|bin|details)|${DIGEST}/(?:manifest\\.json(?:\\.minisig)?|${DOCUMENT}))$`,
);
const IN_FOLDER = new RegExp(`^(${DIGEST})/`);
const GENERATION = /^generations\/([1-9][0-9]{0,14})\.json$/;
const DELETING = new RegExp(`^deleting-${DIGEST}$`);

export const HINT = "current.json";

export const generationPath = (generation: number) => `generations/${generation}.json`;
export const manifestPath = (id: string) => `${id}/manifest.json`;
export const signaturePath = (id: string) => `${id}/manifest.json.minisig`;
export const deletingPath = (name: string) => `deleting-${name}`;

export const isContent = (path: string) => CONTENT.test(path);
export const isDeletingMark = (path: string) => DELETING.test(path);

/** The number of a generation's file; null for any other path. */
export function generationAt(path: string): number | null {
  const [, digits] = GENERATION.exec(path) ?? [];
  return digits === undefined ? null : Number(digits);
}

/** The id of the snapshot in whose folder a file lies; null if it lies in a folder that snapshots share. */
export function folderId(path: string): string | null {
  return IN_FOLDER.exec(path)?.[1] ?? null;
}

/** Media types by the ending of a path. */
const TYPES: Record<string, string> = {
  json: "application/json",
  ndjson: "application/x-ndjson",
  minisig: "text/plain; charset=utf-8",
  "api-catalog": "application/linkset+json",
};

const NEVER_CHANGES = "public, max-age=31536000, immutable";

/** The headers of a file. Only files of content that has no other name may be cached. */
export function headersFor(path: string): Pick<NewObject, "contentType" | "cacheControl"> {
  const [, ending = ""] = /[./]([^./]+)$/.exec(path) ?? [];
  const isFixed = isContent(path) && !path.endsWith(".minisig");
  return {
    contentType: TYPES[ending] ?? "application/octet-stream",
    cacheControl: isFixed ? NEVER_CHANGES : "no-cache",
  };
}
