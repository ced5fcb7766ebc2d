/** How many redirects are followed for one file. */
const REDIRECTS_MAX = 5;

/** Sends a request for a file, and says what the platform does with a redirect. */
export type Send = (url: string, redirect: "manual" | "follow") => Promise<Response>;

/**
 * Sends a request, and follows redirects to permitted addresses.
 * @param path the file, for messages, which do not repeat where a redirect leads
 * @param mayGoTo whether a redirect may lead to an address
 */
export async function sendTo(
  url: string,
  path: string,
  send: Send,
  mayGoTo: (url: URL) => boolean,
): Promise<Response> {
  const requireAllowed = (to: URL): void => {
    if (mayGoTo(to)) return;
    throw new Error(
      `the store redirects ${path}, which is not followed with credentials, nor to another host: use the address to which it leads`,
    );
  };
  let target = new URL(url);
  for (let count = 0; count <= REDIRECTS_MAX; count += 1) {
    let response = await send(target.href, "manual");
    if (response.type === "opaqueredirect") {
      // Browsers hide where it leads. They follow it themselves, or not at all.
      requireAllowed(target);
      response = await send(target.href, "follow");
      requireAllowed(new URL(response.url));
    }
    const location = response.headers.get("location");
    if (location === null || response.status < 300 || response.status > 399) return response;
    response.body?.cancel().catch(() => {});
    target = new URL(location, target);
    requireAllowed(target);
  }
  throw new Error(`the store redirects ${path} more than ${REDIRECTS_MAX} times`);
}
