import fc from "fast-check";

/** Texts that have broken out of somewhere before. */
export const HOSTILE = [
  "</script><script>alert(1)</script>",
  "<!--<script>",
  "]]>",
  "<img src=x onerror=alert(1)>",
  '" onmouseover="alert(1)',
  "' onfocus='alert(1)",
  "&lt;b&gt; &amp;#x3c;",
  "</title></textarea></style></svg>",
  "`code` ```\nfence\n```",
  "[click](javascript:alert(1)) ![x](//evil.example/x.png)",
  "| cell | --- |",
  "# heading",
  "1. one\n2. two",
  "- item\n+ item\n* item",
  "https://evil.example www.evil.example me@evil.example @somebody",
  "\u202egnirts desrever\u202c \u2066isolate",
  "line\u2028end\u2029paragraph\u0085\u0000\u0007\u001b[31mred",
  "$(touch x) $x $`x`",
  "    four spaces",
  "\\\\ \\` \\[",
  "***bold*** __under__ ~~gone~~",
  "---\n===\n***",
  "<https://evil.example>",
  "{{x}} {% x %} \u{10fffe}",
];

/** Texts of which nothing is seen: empty, blank, of joiners, fillers, variation selectors and marks of direction. */
export const UNSEEN = [
  "",
  "  ",
  "\u202e",
  "\n\t\u2066",
  "\u200b",
  "\u200c \u200d",
  "\u2060\ufeff",
  "\u00ad",
  "\ufe0f",
  "\u{e0100}",
  "\u{e0020}",
  "\u200e\u200f\u061c",
  "\u3164",
  "\u115f\u1160\uffa0",
  "\u180e",
];

/** Whether a text is made of what `UNSEEN` is made of. */
export function isUnseen(text: string): boolean {
  const unseen = new Set(UNSEEN.join(""));
  return [...text].every((character) => unseen.has(character));
}

/** The same in few: what breaks out does so in company, too. */
export const HOSTILE_TOGETHER = [0, 8, 16].map((at) => HOSTILE.slice(at, at + 8).join(" "));

/** Any text at all, hostile ones often. */
export const anyText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: "binary" }),
  fc.string(),
);
