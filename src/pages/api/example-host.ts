/**
 * Whether a host may be the example of the API page, which takes the first one in the order of the store whose report
 * has a score. Punycode is hard to read.
 */
export function isExample(host: string): boolean {
  return !host.includes("xn--");
}
