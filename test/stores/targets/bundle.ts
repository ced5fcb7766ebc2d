import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * Bundles a module, as those who deploy the fetch handler do.
 * @param text the module, which imports the package by its name, or files by their paths below the project
 * @returns the text of one module without imports
 */
export async function bundled(text: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: text, resolveDir: ROOT },
    bundle: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2023",
    minify: true,
  });
  return outputFiles[0]?.text ?? "";
}
