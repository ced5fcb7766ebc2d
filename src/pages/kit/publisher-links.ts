import { contactAddress, licenseAddress, type PublisherFacts } from "../../contract/publisher.js";
import { linkTarget, markdownLink, markdownText, oneLine } from "./escape.js";
import { type Html, html } from "./html.js";
import type { PageContext } from "./page-context.js";
import { cutText, DESCRIPTION_MAX, visible } from "./words.js";

/* The publisher's own addresses (directory.json), to which pages link. */

interface PublisherLink {
  readonly label: string;
  readonly href: string;
}

/** The facts of a report that decide which links it has. */
interface LinkedReport {
  readonly site: { readonly host: string; readonly claimed: boolean };
  readonly scan: { readonly historical: boolean };
}

/** Links to the publisher's pages for readers of a report who want something done about it. */
export function publisherLinks(
  { site, scan }: LinkedReport,
  { publisher = {} }: PageContext,
): PublisherLink[] {
  const { claimUrl, rescanUrl, correctionUrl, contactUrl } = publisher;
  const links: [string, string | undefined][] = [
    ["Claim this listing", site.claimed ? undefined : claimUrl],
    ["Ask for a new scan", scan.historical ? undefined : rescanUrl],
    ["Say that something here is wrong", correctionUrl],
    ["Write to the publisher", contactUrl],
  ];
  return links.flatMap(([label, template]) => {
    const filled = template?.replaceAll("{host}", encodeURIComponent(site.host));
    const href = filled === undefined ? null : linkTarget(filled);
    return href === null ? [] : [{ label, href }];
  });
}

/** A paragraph on how to get a site listed, with the publisher's contact if it is known. */
export function listingHint(
  host: string,
  { publisher = {} }: Pick<PageContext, "publisher">,
): Html {
  const filled = publisher.contactUrl?.replaceAll("{host}", encodeURIComponent(host));
  const form = filled === undefined ? null : linkTarget(filled);
  const contact =
    form === null ? contactOf(publisher) : { text: "write to the publisher", href: form };
  if (contact === null)
    return html`<p>The publisher of this directory decides which sites it has.</p>\n`;
  const { text, href } = contact;
  const label = html`<bdi>${text}</bdi>`;
  const link = href === null ? label : html`<a href="${href}">${label}</a>`;
  return html`<p>To have it listed, ${form === null ? "write to " : null}${link}.</p>\n`;
}

/** The links as buttons; null if there are none. */
export function linkButtons(links: readonly PublisherLink[]): Html | null {
  if (links.length === 0) return null;
  return html`<p class="near">${links.map(({ label, href }) => html`<a href="${href}">${label}</a>`)}</p>`;
}

/** The links as sentences of a footer. */
export function linkSentences(links: readonly PublisherLink[]): Html[] {
  return links.map(({ label, href }) => html` <a href="${href}">${label}</a>.`);
}

/** What the publisher says about the directory, on one line and cut if it is long; null if nothing is known. */
export function directoryText({ publisher = {} }: Pick<PageContext, "publisher">): string | null {
  return cutText(oneLine(publisher.description ?? ""), DESCRIPTION_MAX) || null;
}

/** The license of the data and whom to write to, for footers; null if neither is known. */
export function publisherLine(context: PageContext): Html | null {
  const sentences = sentencesOf(context).map(([term, { text, href }]) => {
    const label = html`<bdi>${text}</bdi>`;
    return html`${term}: ${href === null ? label : html`<a href="${href}">${label}</a>`}. `;
  });
  return sentences.length === 0 ? null : html`<p>${sentences}</p>`;
}

/** The same in Markdown; "" if neither is known. */
export function publisherMarkdown(context: PageContext): string {
  return sentencesOf(context)
    .map(([term, { text, href }]) => {
      const isLink = href !== null && !href.startsWith("mailto:");
      return `${term}: ${isLink ? markdownLink(text, href) : markdownText(text)}.`;
    })
    .join(" ");
}

/** The name of the data's license; null if it is not known. */
export function licenseName({ publisher = {} }: PageContext): string | null {
  return licenseOf(publisher)?.text ?? null;
}

/** The license of the data with its address, which is null if it is not known; null if there is no license. */
export function licenseLink({ publisher = {} }: PageContext): LinkedLicense | null {
  const license = licenseOf(publisher);
  return license && { name: license.text, url: license.href };
}

interface LinkedLicense {
  readonly name: string;
  readonly url: string | null;
}

/** The license for schema.org's linked data; nothing if it is not known. */
export function licenseData({ publisher = {} }: PageContext): object {
  const license = licenseOf(publisher);
  if (license === null) return {};
  return { license: license.href ?? { "@type": "CreativeWork", name: license.text } };
}

/** The publisher's contact for schema.org's linked data; nothing if it is not known. */
export function contactData({ publisher = {} }: PageContext): object {
  const { contact } = publisher;
  if (contact === undefined) return {};
  return { contactPoint: { "@type": "ContactPoint", ...contactAddress(contact) } };
}

/** A text, and the address that it leads to, if any. */
interface LinkedText {
  readonly text: string;
  readonly href: string | null;
}

function sentencesOf({ publisher = {} }: PageContext): [string, LinkedText][] {
  const facts = [
    ["License of the data", licenseOf(publisher)],
    ["Contact", contactOf(publisher)],
  ] as const;
  return facts.flatMap(([term, fact]) => (fact === null ? [] : [[term, fact]]));
}

function licenseOf({ license }: PublisherFacts): LinkedText | null {
  if (license === undefined || visible(license) === null) return null;
  const { url, identifier } = licenseAddress(license);
  if (url !== undefined) return { text: license, href: linkTarget(url) };
  const href = identifier === undefined ? null : `https://spdx.org/licenses/${identifier}.html`;
  return { text: license, href };
}

function contactOf({ contact }: PublisherFacts): LinkedText | null {
  if (contact === undefined) return null;
  const address = contactAddress(contact);
  return "email" in address
    ? { text: address.email, href: contact }
    : { text: address.url, href: linkTarget(address.url) };
}
