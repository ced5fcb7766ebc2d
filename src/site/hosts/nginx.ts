import { nginxLocations, nginxServer } from "../nginx.js";
import { type HostFacts, type HostRules, NO_FILES } from "./host-rules.js";

/** A server block that includes the locations beside it. */
export function nginxRules({ root }: HostFacts): HostRules {
  const beside = new Map([
    [".nginx.conf", nginxServer(root, `${root}.nginx-locations.conf`)],
    [".nginx-locations.conf", nginxLocations(null)],
  ]);
  return { files: NO_FILES, beside };
}
