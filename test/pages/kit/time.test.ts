import { expect, it } from "vitest";
import { html, timeElement } from "../../../src/pages/kit/html.js";

it.each([
  ["2026-08-09T03:31:12Z", '<time datetime="2026-08-09T03:31:12Z">then</time>'],
  ["2026-08-09T03:31:12.5+02:00", '<time datetime="2026-08-09T03:31:12.5+02:00">then</time>'],
  ["2026-08-09T03:31:12.123456789Z", '<time datetime="2026-08-09T03:31:12.123Z">then</time>'],
  ["2026-08-09T03:31:12.1234-11:30", '<time datetime="2026-08-09T03:31:12.123-11:30">then</time>'],
  ["0000-01-01T00:00:00Z", "then"],
  ["soon", "then"],
])("the date-time %s is valid HTML: %s", (dateTime, markup) => {
  expect(html`${timeElement(dateTime, "then")}`.markup).toBe(markup);
});
