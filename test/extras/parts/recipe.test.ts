import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { ROOT } from "../../house/sources.js";

function objectsIn(recipe: string) {
  const text = readFileSync(join(ROOT, "deploy", recipe), "utf8");
  return parseAllDocuments(text).map((each) => each.toJS());
}

it("the jobs of Kubernetes build as many parts as they split, in the volume of the server's store", () => {
  const [claim] = objectsIn("kubernetes.yaml");
  const jobs = objectsIn("kubernetes-parts.yaml");
  for (const { spec, metadata } of jobs) {
    const [{ volumeMounts }] = spec.template.spec.containers;
    expect(volumeMounts[0], metadata.name).toEqual({ name: "store", mountPath: "/data" });
    const [store] = spec.template.spec.volumes;
    expect(store.persistentVolumeClaim.claimName).toBe(claim.metadata.name);
  }
  const [split, parts] = jobs.map(({ spec }) => spec.template.spec.containers[0].args[0]);
  expect(split).toContain(`--parts ${jobs[1].spec.completions} --out /data/split`);
  expect(parts).toContain('"/data/split/$part-of-16" --part "$part/16"');
});
