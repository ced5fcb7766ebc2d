/**
 * The texts in directory.json that pages show: what the directory is, in which language, and where they lead readers on
 * from a report.
 */
export const PUBLISHER_FACTS = [
  "description",
  "lang",
  "headline",
  "license",
  "contact",
  "contactUrl",
  "claimUrl",
  "rescanUrl",
  "correctionUrl",
] as const;

/** What pages say about a directory's publisher. */
export type PublisherFacts = Readonly<
  Partial<Record<(typeof PUBLISHER_FACTS)[number], string | undefined>>
>;

/** Nearly all SPDX identifiers end in a version. MIT, ISC and Unlicense are the others that data is published under. */
const SPDX_IDENTIFIER =
  /^(?:[A-Za-z]\w*(?:-[A-Za-z]+)*-\d+(?:\.\d+)*(?:-[A-Za-z]+)*|MIT|ISC|Unlicense)$/;

/** A license's address or SPDX identifier, for the description of the API and the pages' linked data. */
export function licenseAddress(license: string): { url?: string; identifier?: string } {
  if (/^https?:/i.test(license)) return { url: license };
  return SPDX_IDENTIFIER.test(license) ? { identifier: license } : {};
}

/** An address to write to, which is a `mailto:` or a page. */
export function contactAddress(contact: string): { email: string } | { url: string } {
  const email = /^mailto:([^?]*)/i.exec(contact)?.[1];
  return email === undefined ? { url: contact } : { email };
}
