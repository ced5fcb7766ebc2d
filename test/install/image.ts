import { chmodSync, cpSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ROOT } from "../house/sources.js";
import { copyProject, Machine } from "./machine.js";

/** A line of a Dockerfile: its instruction and the rest. */
type Instruction = readonly [name: string, text: string];

/** Runs a command as a user without rights. */
const USER =
  "setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all --";

/** What a Dockerfile makes, in a folder: its steps run without Docker, with absolute paths below the folder. */
export class Image {
  readonly #machine = new Machine();
  readonly #settings: Record<string, string> = {};
  readonly #last = new Map<string, string>();
  #workingFolder = "/";

  get root(): string {
    return this.#machine.root;
  }

  /** @returns the last stage */
  static async of(dockerfile: string): Promise<Image> {
    const stages = new Map<string, Image>();
    let image = new Image();
    for (const [name, text] of instructionsOf(dockerfile)) {
      if (name !== "FROM") await image.#do(name, text, stages);
      else {
        image = new Image();
        stages.set(/ AS (\w+)$/.exec(text)?.[1] ?? "", image);
      }
    }
    return image;
  }

  /** Runs the entry point with words, which may be absolute paths. */
  run(words: readonly string[]): Promise<string> {
    return this.#machine.run(this.#command(words), this.root, this.#settings);
  }

  /** Serves with these words, or with those of `CMD`. @returns the address */
  serve(words: readonly string[]): Promise<string> {
    return this.#machine.serve(this.#command(words), this.root, this.#settings);
  }

  /**
   * Serves as a confined container does: by a user without rights, from a root that is read-only except for some
   * volumes. A namespace of mounts that ends with the process stands for Docker.
   * @param writable folders
   */
  serveConfined(words: readonly string[], writable: readonly string[]): Promise<string> {
    const script = join(this.root, "confined.sh");
    const volumes = writable.map((path) => join(this.root, path));
    const mounts = [
      ...volumes.map((path) => `chown -R 1000:1000 '${path}' && mount --bind '${path}' '${path}'`),
      `mount --rbind '${this.root}' '${this.root}' && mount -o remount,bind,ro '${this.root}'`,
      `! touch '${this.root}/file' 2>&-`,
      ...volumes.map((path) => `${USER} touch '${path}/written'`),
      `exec ${USER} "$@"`,
    ];
    // Another user has to get there; the folder of the tests is private.
    const above = dirname(this.root);
    if ((statSync(above).mode & 0o777) === 0o700) chmodSync(above, 0o711);
    chmodSync(this.root, 0o755);
    writeFileSync(script, `set -e\nPATH=/usr/sbin:/usr/bin:/bin:$PATH\n${mounts.join("\n")}\n`);
    const command = `unshare --mount -- bash '${script}' ${this.#command(words)}`;
    return this.#machine.serve(command, this.root, this.#settings);
  }

  /** Runs the health check on a server. @throws if it fails */
  async check(url: string): Promise<void> {
    const [, words = "[]"] = /CMD (\[.*\])$/.exec(this.#last.get("HEALTHCHECK") ?? "") ?? [];
    const quoted = (JSON.parse(words) as string[]).map((word) => `"${word}"`).join(" ");
    const port = new URL(url).port;
    await this.#machine.run(quoted.replace("127.0.0.1:3000", `127.0.0.1:${port}`), this.root);
  }

  async #do(name: string, text: string, stages: ReadonlyMap<string, Image>): Promise<void> {
    this.#last.set(name, text);
    if (name === "WORKDIR") {
      this.#workingFolder = text;
      this.#machine.folder(text);
    } else if (name === "ENV") {
      for (const [, key = "", value = ""] of text.matchAll(/(\w+)=(\S+)/g)) {
        this.#settings[key] = value.replace(/^\//, `${this.root}/`);
      }
    } else if (name === "COPY") this.#copy(text.split(" "), stages);
    else if (name === "RUN") {
      // A stage that empties npm's cache has one of its own.
      const isEmptied = text.includes("npm cache clean");
      const cache = isEmptied ? { npm_config_cache: this.#machine.folder("npm-cache") } : {};
      const cwd = join(this.root, this.#workingFolder);
      await this.#machine.run(this.#placed(text), cwd, { ...this.#settings, ...cache });
    }
  }

  #copy(words: readonly string[], stages: ReadonlyMap<string, Image>): void {
    const stage = stages.get(/^--from=(.*)/.exec(words[0] ?? "")?.[1] ?? "none");
    const paths = words.slice(stage === undefined ? 0 : 1);
    const target = paths.pop() ?? "";
    const to = resolve("/", this.#workingFolder, target);
    for (const path of paths) {
      if (path === ".") copyProject(join(this.root, to));
      else {
        const name = path.endsWith("/") ? "" : basename(path);
        cpSync(join(stage?.root ?? ROOT, path), join(this.root, to, name), { recursive: true });
      }
    }
  }

  #command(words: readonly string[]): string {
    const entry = JSON.parse(this.#last.get("ENTRYPOINT") ?? "[]") as string[];
    return this.#placed([...entry, ...words].join(" "));
  }

  #placed(command: string): string {
    return command.replaceAll(/(?<=\s)\/(?=\w)/g, `${this.root}/`);
  }
}

function instructionsOf(dockerfile: string): Instruction[] {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n");
  return lines
    .filter((line) => line !== "")
    .map((line) => [/^\w+/.exec(line)?.[0] ?? "", line.replace(/^\w+\s+/, "")]);
}
