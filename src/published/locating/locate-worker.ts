import { parentPort, workerData } from "node:worker_threads";
import { type KindDocuments, kindOf, type RecordsOf } from "../checking/kinds.js";
import { ProblemList, type TakenProblems } from "../checking/problem.js";
import { checkRecord } from "../checking/record.js";
import type { SourceFile } from "./files.js";
import { type Located, locateRecords } from "./locate.js";
import type { RecordColumns } from "./record-index.js";

/** The data that starts a thread that locates records. */
export interface LocateWork {
  readonly records: RecordsOf;
  readonly documents: KindDocuments;
}

/** The records found in the files of one message. A file's number is its index in that message. */
export interface LocateReply extends Omit<Located, "index"> {
  readonly columns: RecordColumns;
  readonly problems: TakenProblems;
}

// A worker thread's entry: locate-crew.ts starts it.
const { records, documents }: LocateWork = workerData;
const kind = kindOf(records, documents);

parentPort?.on("message", async (files: readonly SourceFile[]) => {
  const byFile = new Map(files.map(({ name }) => [name, new ProblemList()]));
  const { index, ...located } = await locateRecords(files, {
    onLost: (source) => byFile.get(source.file)?.add(checkRecord(kind, source).problems),
    onProblem: (problem) => byFile.get(problem.file)?.add([problem]),
    // The thread that started this one reads the file again and reports all its problems.
    onUnreadable: ({ file }) => byFile.delete(file),
  });
  const problems = new ProblemList();
  for (const list of byFile.values()) problems.receive(list.take());
  const { columns } = index;
  const reply: LocateReply = { ...located, columns, problems: problems.take() };
  parentPort?.postMessage(reply);
});
