import { CACHE_CONTROL } from "../contract/routes.js";
import { HOSTED_ADDRESSES, TYPES } from "./hosts/address-files.js";

/** The headers that a host should send with a file of a tree, whatever its address is. */
export interface FileHeaders {
  readonly contentType: string;
  readonly cacheControl: string;
}

/** The forms of paths, in the order of the addresses: the first one that fits counts. */
const FORMS = HOSTED_ADDRESSES.flatMap(({ file, scanFile, contentType, headers }) =>
  (scanFile === null ? [file] : [file, scanFile]).map((path) => ({
    form: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
    contentType,
    cacheControl: headers["Cache-Control"] ?? CACHE_CONTROL.directory,
  })),
);
const OTHERS = { contentType: null, cacheControl: CACHE_CONTROL.directory };

export function fileHeaders(path: string): FileHeaders {
  const { contentType, cacheControl } = FORMS.find(({ form }) => form.test(path)) ?? OTHERS;
  const end = /\.(\w+)$/.exec(path)?.[1] ?? "txt";
  return { contentType: contentType ?? TYPES[end] ?? "application/octet-stream", cacheControl };
}
