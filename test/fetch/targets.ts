import type { FetchHandler } from "../../src/fetch/index.js";
import { send } from "../server/http.js";
import type { Given, Sent, Target } from "./comparison.js";

const AT_ONCE = 8;

/** A server at an address, asked over a socket: nothing of a request is changed on the way. */
export function serverTarget(name: string, url: string, lost: Target["lost"] = {}): Target {
  return { name, lost, ask: (requests) => some(requests, (one) => askServer(url, one)) };
}

/** A fetch handler in this process. */
export function handlerTarget(
  name: string,
  handler: (request: Request) => Promise<Response>,
): Target {
  const ask = async ({ target, method, headers }: Sent): Promise<Given> => {
    const request = new Request(`https://any.example${target}`, { method, headers });
    const response = await handler(request);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: new Uint8Array(await response.arrayBuffer()),
    };
  };
  return { name, ask: (requests) => some(requests, ask) };
}

export interface Health {
  readonly ready: boolean;
  readonly snapshot?: string;
  readonly generation?: number;
  readonly trouble?: string;
}

/** What a fetch handler says of itself. It looks at its store before, if that is due. */
export async function healthOf(handler: FetchHandler): Promise<Health> {
  return (await handler(new Request("https://any.example/readyz"))).json() as Promise<Health>;
}

/** A few at the same time; the answers in the order of the requests. */
async function some(
  requests: readonly Sent[],
  ask: (request: Sent) => Promise<Given>,
): Promise<Given[]> {
  const given: Given[] = [];
  const open = [...requests.entries()].reverse();
  const lane = async () => {
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [place, request] = next;
      given[place] = await ask(request);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return given;
}

async function askServer(url: string, { target, ...sent }: Sent): Promise<Given> {
  const { hostname: host, port } = new URL(url);
  const { status, headers, bytes } = await send({ host, port: Number(port) }, target, sent);
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return { status, headers: Object.fromEntries(texts), body: bytes };
}
