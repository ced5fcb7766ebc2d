import { suite } from "../workers.js";

/** Deletes each extra from a copy of the project, which must then still work: `npm run test:extras`. */
export default suite("test/without/**/*.extras.ts", {
  testTimeout: 1_200_000,
  hookTimeout: 300_000,
});
