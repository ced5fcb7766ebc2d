import { DuckDBInstance } from "@duckdb/node-api";
import { onTestFinished } from "vitest";

/** Runs statements in a database of its own. @returns the rows of the last one */
export async function rowsOf(sql: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  onTestFinished(() => {
    connection.closeSync();
    instance.closeSync();
  });
  const statements = await connection.extractStatements(sql);
  let rows: Record<string, unknown>[] = [];
  for (let at = 0; at < statements.count; at += 1) {
    const statement = await statements.prepare(at);
    rows = (await statement.runAndReadAll()).getRowObjectsJson();
  }
  return rows;
}
