/** How many hosts a sentence names. */
const HOSTS_NAMED = 10;

/** The first hosts of a list, for a sentence: `a.example, b.example and 3 more`. */
export function firstHosts(hosts: readonly string[]): string {
  const more = hosts.length > HOSTS_NAMED ? ` and ${hosts.length - HOSTS_NAMED} more` : "";
  return `${hosts.slice(0, HOSTS_NAMED).join(", ")}${more}`;
}
