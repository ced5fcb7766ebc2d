import { suite } from "../workers.js";

/** Packs and installs the package with the commands of the documentation: `npm run test:install`. */
export default suite("test/**/*.install.ts", {
  // Packages are downloaded, and everything is compiled.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  // The files share the packed tarball.
  isolate: false,
});
