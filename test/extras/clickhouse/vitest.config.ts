import { suite } from "../../workers.js";

/** Tests with ClickHouse's engine, which is installed as it is needed: `npm run test:clickhouse`. */
export default suite("test/**/*.clickhouse.ts", {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 30_000 } },
});
