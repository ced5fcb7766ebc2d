import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { debianRoot } from "../../stores/servers/installed.js";
import { LOOPBACK } from "../../stores/servers/processes.js";
import { type HostServer, startServer } from "./started.js";

/** A program of Debian, with the libraries that it needs: of this machine, or unpacked into the cache. */
interface Program {
  readonly command: string;
  /** The root below which its modules lie. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
}

async function programOf(name: string, path: string, debian: string): Promise<Program> {
  if (spawnSync(path, ["-v"]).error === undefined) return { command: path, root: "/", env: {} };
  const root = await debianRoot(name, [debian]);
  const env = { LD_LIBRARY_PATH: join(root, "usr/lib", `${machine()}-linux-gnu`) };
  return { command: join(root, path), root, env };
}

const machine = () => (process.arch === "arm64" ? "aarch64" : "x86_64");

/** nginx. @param server what its one server block contains */
export const startNginxHost = (server: string): Promise<HostServer> =>
  startNginx((listen) => `server { ${listen} ${server} }`);

/** nginx. @param http what its http block contains, beside types; it listens where it is told */
export function startNginx(http: (listen: string) => string): Promise<HostServer> {
  return startServer(async (port, place) => {
    const { command, env } = await programOf("nginx", "/usr/sbin/nginx", "nginx-light");
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path ${join(place, name)};`)
      .join(" ");
    await writeFile(join(place, "types.conf"), NGINX_TYPES);
    const main = `daemon off; master_process off; pid ${join(place, "pid")}; error_log ${join(place, "error.log")};
events {} http { access_log off; include types.conf; default_type application/octet-stream; ${temporary}
${http(`listen ${LOOPBACK}:${port};`)} }`;
    await writeFile(join(place, "nginx.conf"), main);
    return { words: [command, "-p", place, "-e", "error.log", "-c", "nginx.conf"], env };
  });
}

/** The types that nginx is installed with, as far as a tree has them: neither Markdown nor JavaScript modules. */
const NGINX_TYPES = `types { text/html html; text/css css; text/xml xml; text/plain txt; application/javascript js;
application/json json; image/svg+xml svg svgz; application/octet-stream bin; }`;

/** Caddy. @param site what the block of its one site contains */
export function startCaddy(site: (place: string) => Promise<string>): Promise<HostServer> {
  return startServer(async (port, place) => {
    const { command, env } = await programOf("caddy", "/usr/bin/caddy", "caddy");
    const config = join(place, "Caddyfile");
    const block = await site(place);
    await writeFile(config, `{\n\tadmin off\n}\nhttp://${LOOPBACK}:${port} {\n${block}\n}\n`);
    const home = { HOME: place, XDG_DATA_HOME: place, XDG_CONFIG_HOME: place };
    return {
      words: [command, "run", "--config", config, "--adapter", "caddyfile"],
      env: { ...env, ...home },
    };
  });
}

const APACHE_MODULES = ["mpm_event", "authz_core", "dir", "mime", "negotiation", "autoindex"];

/** Apache as Debian configures it, with a folder as its root. @param rules whether a `.htaccess` may change anything */
export function startApache(folder: string, rules: boolean): Promise<HostServer> {
  return startServer(async (port, place) => {
    const { command, root, env } = await programOf("apache", "/usr/sbin/apache2", "apache2-bin");
    const modules = [...APACHE_MODULES, ...(rules ? ["rewrite", "headers"] : [])];
    await mkdir(join(place, "logs"));
    await writeFile(join(place, "types"), APACHE_TYPES);
    const config = [
      `ServerRoot ${place}`,
      "ServerName localhost",
      `Listen ${LOOPBACK}:${port}`,
      `PidFile ${join(place, "pid")}`,
      `ErrorLog ${join(place, "logs/error")}`,
      `TypesConfig ${join(place, "types")}`,
      ...modules.map(
        (name) =>
          `LoadModule ${name}_module ${join(root, `usr/lib/apache2/modules/mod_${name}.so`)}`,
      ),
      "DirectoryIndex index.html",
      "AddLanguage de .de",
      `DocumentRoot "${folder}"`,
      `<Directory "${folder}">`,
      "Options Indexes FollowSymLinks",
      `AllowOverride ${rules ? "All" : "None"}`,
      "Require all granted",
      "</Directory>",
      "",
    ];
    await writeFile(join(place, "apache.conf"), config.join("\n"));
    return { words: [command, "-X", "-f", join(place, "apache.conf")], env };
  });
}

/** The types of Debian's /etc/mime.types, as far as a tree has them. */
const APACHE_TYPES = `text/html html htm
text/css css
text/javascript js mjs
text/plain txt
text/markdown md markdown
application/json json
application/xml xml
image/svg+xml svg svgz
application/gzip gz
application/octet-stream bin
`;
