import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { npmModules } from "../../stores/servers/installed.js";
import type { Place } from "../hosts.js";
import { type HostServer, startListener } from "./started.js";

/** As much as is used of Netlify's own packages, which are installed on demand. */
interface Modules {
  readonly StaticHandler: new (options: {
    directory: string;
  }) => { match(request: Request): Promise<{ handle(): Promise<Response> } | undefined> };
  readonly RedirectsHandler: new (
    options: Readonly<Record<string, string>>,
  ) => {
    match(request: Request): Promise<Match | undefined>;
  };
  readonly HeadersHandler: new (
    options: Readonly<Record<string, unknown>>,
  ) => {
    apply(request: Request, response: Response): Promise<unknown>;
  };
}

interface Match {
  readonly force: boolean;
  readonly redirect: boolean;
  readonly statusCode: number;
  readonly target: URL;
}

/** Netlify as its own packages emulate it on a developer's machine: the files, `_redirects` and `_headers`. */
export async function startNetlify({ folder, base }: Place): Promise<HostServer> {
  const { StaticHandler, RedirectsHandler, HeadersHandler } = await netlifyModules();
  const files = new StaticHandler({ directory: folder });
  const places = { projectDir: folder, publicDir: folder, publishDir: folder };
  const secrets = { jwtSecret: "", jwtRoleClaim: "" };
  const redirects = new RedirectsHandler({ ...places, ...secrets });
  const headers = new HeadersHandler({ ...places, logger: console });
  const file = async (request: Request) => (await files.match(request))?.handle();
  const answer = async (request: Request): Promise<Response> => {
    const match = await redirects.match(request);
    const own = match?.force ? undefined : await file(request);
    if (own !== undefined) return own;
    if (match?.redirect) return Response.redirect(match.target, 302);
    const found = match && (await file(new Request(match.target, request)));
    if (found !== undefined)
      return new Response(found.body, { status: match?.statusCode ?? 200, headers: found.headers });
    const type = { "content-type": "text/html; charset=UTF-8" };
    return new Response(await readFile(join(folder, base, "404.html")), {
      status: 404,
      headers: type,
    });
  };
  return startListener(async (req, res) => {
    const request = new Request(new URL(req.url ?? "/", "http://localhost"), {
      method: req.method ?? "GET",
      headers: headersOf(req),
    });
    const response = await answer(request);
    await headers.apply(request, response);
    res.writeHead(response.status, Object.fromEntries(response.headers));
    res.end(req.method === "HEAD" ? undefined : Buffer.from(await response.arrayBuffer()));
  });
}

const headersOf = (req: IncomingMessage) =>
  Object.entries(req.headers).map(([name, value]): [string, string] => [name, String(value)]);

async function netlifyModules(): Promise<Modules> {
  const modules = await npmModules();
  const load = (name: string) =>
    import(pathToFileURL(join(modules, "@netlify", name, "dist/main.js")).href);
  const [files, redirects, headers] = await Promise.all(
    ["static", "redirects", "headers"].map(load),
  );
  return { ...files, ...redirects, ...headers };
}
