/*
 * Where a tree has the answers of addresses. Scripts of pages use this, too.
 */

/**
 * The file of a tree with the answer of an address; null if it is computed, such as a search.
 * @param address relative to the tree's root, without a slash at its start, such as `sites/x.example?scan=a`
 */
export function fileOf(address: string): string | null {
  const [path = "", query = ""] = address.split("?", 2);
  const scan = new URLSearchParams(query).get("scan");
  const [room, name, host, last] = path.split("/");
  const isApi = room === "api";
  if (path === "") return "index.html";
  if (path === "standards" || path === "api") return `${path}.html`;
  if (isApi && name === "sites") {
    if (host === undefined || last === undefined) return null;
    return `api/sites/${host}/${last === "report" && scan !== null ? `scans/${scan}` : last}.json`;
  }
  if (isApi && host === undefined && !name?.includes(".")) return `${path}.json`;
  if (room === "sites" && name !== undefined && scan !== null) {
    if (host === undefined) return `sites/${name}/scans/${scan}.html`;
    if (host === "report.md") return `sites/${name}/scans/${scan}.md`;
  }
  if ((room === "sites" || room === "categories") && host === undefined) return `${path}.html`;
  return path;
}
