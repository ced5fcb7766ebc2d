import { DUMP_FILE_NAMES, DUMP_FILES, dumpAddress } from "../../contract/extensions.js";
import { oneLine } from "./escape.js";
import { absoluteLink, apiLink } from "./links.js";
import type { PageContext } from "./page-context.js";
import { contactData } from "./publisher-links.js";

/** The facts of a directory's listings in search. */
export interface DatasetFacts {
  readonly sites: number;
  /** When a site was last scanned; null if none was. */
  readonly scannedTo: string | null;
  /** The number of the publication. */
  readonly generation: number;
}

/** The listings of a directory as a schema.org `Dataset`, without its license, which each page adds. */
export function datasetData(context: PageContext, { sites, scannedTo, generation }: DatasetFacts) {
  const url = absoluteLink("", context);
  const name = oneLine(context.name);
  const dumps = context.extensions === false ? [] : DUMP_FILE_NAMES;
  return {
    "@type": "Dataset",
    "@id": `${url}#dataset`,
    url,
    name: `${name}: crawler-readiness scores`,
    description:
      `How readable ${sites} websites are to AI crawlers: for each site a score from 0 to 100, the ` +
      "checks behind it and what to improve.",
    isAccessibleForFree: true,
    creator: { "@type": "Organization", name, url, ...contactData(context) },
    // A publication may change everything in a dump, so each one is a major version.
    version: `${generation}.0.0`,
    distribution: [
      download("application/json", apiLink("api/sites", context)),
      download("application/feed+json", absoluteLink("feed.json", context)),
      ...dumps.map((file) => download(DUMP_FILES[file], dumpLink(file, context))),
    ],
    ...(scannedTo !== null && { dateModified: scannedTo }),
  };
}

function download(encodingFormat: string, contentUrl: string) {
  return { "@type": "DataDownload", encodingFormat, contentUrl };
}

/** The absolute address of a file of the dump. @param content names the dump; null for the latest */
export function dumpLink(
  file: string,
  context: PageContext,
  content: string | null = null,
): string {
  // A tree has the files of one dump, under fixed names.
  const isNamed = content !== null && context.tree === undefined;
  return apiLink(dumpAddress(file), context) + (isNamed ? `?content=${content}` : "");
}
