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
  const files = (context.downloads ?? []).flatMap((one) => one.files);
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
    // A publication may change all listings, so each one is a major version.
    version: `${generation}.0.0`,
    distribution: [
      download("application/json", apiLink("api/sites", context)),
      download("application/feed+json", absoluteLink("feed.json", context)),
      ...files.map(({ address, contentType }) => download(contentType, apiLink(address, context))),
    ],
    ...(scannedTo !== null && { dateModified: scannedTo }),
  };
}

function download(encodingFormat: string, contentUrl: string) {
  return { "@type": "DataDownload", encodingFormat, contentUrl };
}
