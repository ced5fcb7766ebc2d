import { expect, it, onTestFinished } from "vitest";
import { changeShown, writeShown } from "../../.build/pages/directory.js";
import { PAGE_KINDS, pageKinds } from "../../.build/pages/kinds.js";
import { serveDirectory } from "../../.build/pages/served.js";
import { chromiumPath, expectAccessible, launch, withPage } from "./browsers.js";

const chromium = chromiumPath();

it.skipIf(chromium === null)(
  "no kind of page has a violation that axe-core finds, in light and in dark colours",
  async () => {
    const directory = await serveDirectory(writeShown, changeShown);
    onTestFinished(() => directory.stop());
    const browser = await launch(chromium ?? "");
    onTestFinished(() => browser.close());
    const kinds = await pageKinds(directory.store, directory.url);
    expect(kinds.map(({ name }) => name)).toEqual(PAGE_KINDS);
    await withPage(browser, "about:blank", async (page) => {
      for (const { path } of kinds) {
        await page.emulateMedia({ colorScheme: "light" });
        await page.goto(directory.url + path);
        await expectAccessible(page);
        await page.emulateMedia({ colorScheme: "dark" });
        await expectAccessible(page, true);
      }
    });
  },
);
