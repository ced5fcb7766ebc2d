import { Option } from "commander";
import { expect, it } from "vitest";
import { PULL, PUSH, SERVE_REMOTE } from "../../../src/extras/remote/options.js";
import { pull } from "../../../src/extras/remote/pull.js";
import { push } from "../../../src/extras/remote/push.js";
import { serve } from "../../../src/server/serve.js";

it.each(Object.entries({ PULL, PUSH, SERVE_REMOTE }))(
  "options have defaults that they accept, and the names of their flags: %s",
  (_, table) => {
    for (const [name, { rule, usual, flag }] of Object.entries(table)) {
      if (usual !== undefined) expect([name, rule.accepts(usual)]).toEqual([name, true]);
      if (flag !== undefined) expect(new Option(flag.flags).attributeName()).toBe(name);
    }
  },
);

it("an address that cannot be used is a mistake of the caller, and is not repeated", async () => {
  const wrong = "https://user:secret@host.example/";
  const said =
    "must be an address such as s3://bucket/prefix or https://host/path, without a user, a ? or a #";
  await expect(pull(wrong)).rejects.toThrow(new TypeError(`pull: "url" ${said}`));
  await expect(serve(wrong)).rejects.toThrow(new TypeError(`serve: "store" ${said}`));
  await expect(push("https://host.example/")).rejects.toThrow(
    /^push: "url" must be the address of a bucket/,
  );
});
