import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";

/** Whether nginx is on this machine. */
export function hasNginx(): boolean {
  try {
    execFileSync("nginx", ["-v"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Runs nginx with a server block on a free port of the loopback until it is closed. */
export async function startNginx(
  folder: string,
  { server }: { readonly server: string },
): Promise<{ host: string; port: number; close: () => Promise<void> }> {
  const host = "127.0.0.1";
  const port = await freePort(host);
  const place = join(folder, "nginx");
  await mkdir(place);
  const listens = /^ +listen (?:80|\[::\]:80);\n/gm;
  const [first = ""] = server.match(listens) ?? [];
  if (first === "") throw new Error("the configuration listens nowhere");
  const site = server
    .replace(listens, "")
    .replace("server {", `server {\n listen ${host}:${port};`);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(place, name)};`)
    .join(" ");
  const main = `daemon off; master_process off; pid ${join(place, "pid")}; error_log ${join(place, "error.log")};
events {} http { access_log off; ${temporary}
${site} }`;
  await writeFile(join(place, "nginx.conf"), main);
  const child = spawn("nginx", ["-p", place, "-e", "error.log", "-c", "nginx.conf"]);
  let said = "";
  child.stderr.on("data", (data: Buffer) => {
    said += data.toString();
  });
  await untilAnswers(`http://${host}:${port}/`, child, () => said);
  const close = async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  return { host, port, close };
}

async function untilAnswers(url: string, child: ChildProcess, said: () => string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${said()}`);
    const answers = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answers) return;
    await setTimeout(25);
  }
  throw new Error(`nginx does not answer: ${said()}`);
}

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
