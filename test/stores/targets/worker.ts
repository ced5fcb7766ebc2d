import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "jsonc-parser";
import { startMiniflare, type Worker, type WorkerOptions } from "../servers/miniflare.js";
import { bundled } from "./bundle.js";

const FOLDER = new URL("../../../deploy/cloudflare/", import.meta.url);

interface Bindings {
  readonly compatibility_date: string;
  readonly vars: Record<string, string>;
  readonly r2_buckets?: { readonly binding: string }[];
  readonly assets?: { readonly binding: string; readonly html_handling: string };
}

/** What is recommended to users, as it is configured for them; changes to the variables are for tests. */
export async function startRecipe(
  store: { readonly assets?: string },
  vars: Readonly<Record<string, string>> = {},
): Promise<Worker> {
  const { env, ...top } = parse(
    readFileSync(new URL("wrangler.jsonc", FOLDER), "utf8"),
  ) as Bindings & {
    readonly env: { readonly assets: Bindings };
  };
  const {
    vars: usual,
    r2_buckets: buckets,
    assets,
  } = store.assets === undefined ? top : env.assets;
  const options: WorkerOptions = {
    script: await bundled(
      `export { default } from ${JSON.stringify(fileURLToPath(new URL("worker.js", FOLDER)))}`,
    ),
    compatibilityDate: top.compatibility_date,
    vars: { ...usual, ...vars },
    r2: (buckets ?? []).map(({ binding }) => binding),
    ...(assets !== undefined &&
      store.assets !== undefined && {
        assets: {
          folder: store.assets,
          binding: assets.binding,
          htmlHandling: assets.html_handling,
        },
      }),
  };
  return startMiniflare(options);
}
