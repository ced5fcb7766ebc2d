import type { HostName } from "../layout.js";
import { apacheRules } from "./apache.js";
import { caddyRules } from "./caddy.js";
import { cloudflareRules } from "./cloudflare.js";
import { type HostFacts, type HostRules, NO_FILES } from "./host-rules.js";
import { netlifyRules } from "./netlify.js";
import { nginxRules } from "./nginx.js";
import { s3Rules } from "./s3.js";

/** Makes the rules of each host. */
export const HOSTS: Readonly<Record<HostName, (facts: HostFacts) => HostRules>> = {
  plain: () => ({ files: NO_FILES, beside: NO_FILES }),
  nginx: nginxRules,
  caddy: caddyRules,
  apache: apacheRules,
  cloudflare: cloudflareRules,
  netlify: netlifyRules,
  s3: s3Rules,
};
