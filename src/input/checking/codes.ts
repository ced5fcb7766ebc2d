/** What the code of a problem means, for the documentation. */
interface ProblemMeaning {
  /** What is wrong, in a sentence. */
  readonly meaning: string;
  /** What to do, in a sentence. */
  readonly remedy: string;
}

/**
 * The codes of all errors and warnings, with what is wrong and what to do. They are promises: scripts name them, and
 * directory.json has those of accepted warnings. Problems with the same remedy share a code; a message says more.
 */
export const PROBLEM_CODES = {
  errors: {
    "accept-wrong": {
      meaning: "`accept` names something that is not the code of a warning.",
      remedy: "Take a code of a warning from this table; errors cannot be accepted.",
    },
    "band-wrong": {
      meaning: "A scan's band is not the one that the rubric gives to its score.",
      remedy: "Leave the band out, or correct the score or `scoreVersion`.",
    },
    "bands-incomplete": {
      meaning: "The rubric's bands do not cover the scores from 0 to 100 exactly once.",
      remedy: "Correct the `min` and `max` of the bands.",
    },
    "encoding-wrong": {
      meaning: "A file or record is not UTF-8.",
      remedy: "Save the file as UTF-8.",
    },
    "errors-hidden": {
      meaning: "A record has more errors than the 1,000 that are shown.",
      remedy: "Correct those that are shown, and check again.",
    },
    "field-missing": {
      meaning: "A record lacks a field that has no default.",
      remedy: "Add the field.",
    },
    "field-unknown": {
      meaning: "A record has a field that the format does not have.",
      remedy: "Correct the spelling, or leave the field out.",
    },
    "file-changed": {
      meaning: "A file changed while it was being read.",
      remedy: "Run again once it is completely written.",
    },
    "file-form": {
      meaning: "A file is a JSON array, or has records that span several lines.",
      remedy:
        "Write one record per line into an `.ndjson` file, or one record into each `.json` file.",
    },
    "file-unreadable": {
      meaning: "A file cannot be opened or read, or is not a regular file.",
      remedy: "Correct its permissions, or replace it with a regular file.",
    },
    "former-slug-taken": {
      meaning:
        "A slug in `formerly` is still the slug of an entry, or is in the `formerly` of another one.",
      remedy: "Take it out of `formerly`, or remove the entry that still has it.",
    },
    "host-not-canonical": {
      meaning: "A host is not in its canonical form, or is no host.",
      remedy:
        "Write it in lower case, as punycode, without `www.`, path, port or trailing dot, as the message says.",
    },
    "host-repeated": {
      meaning: "Two listings have the same host.",
      remedy: "Delete one of them; the message says where the first is.",
    },
    "id-repeated": {
      meaning:
        "Two scans of a host, two entries of a list, or two rubrics have the same id or version.",
      remedy: "Delete one of them, or give it another id.",
    },
    "json-deep": {
      meaning: "A record is nested deeper than 200 levels.",
      remedy: "Flatten it; a program has probably put data into itself.",
    },
    "json-wrong": {
      meaning: "A record is empty or not JSON.",
      remedy: "Correct it at the place that is shown, or write it with a JSON library.",
    },
    "key-conflicting": {
      meaning:
        "A key occurs twice with different values where a wrong choice would publish too much or lose data.",
      remedy: "Keep the value that you mean.",
    },
    "key-forbidden": {
      meaning: "A record has the key `__proto__`.",
      remedy: "Rename the key or leave it out.",
    },
    "moved-wrong": {
      meaning: "A scan with the status `moved` has a score, or no `redirect`.",
      remedy:
        "Set its score to null and its `redirect` to where the site has moved, or correct its status.",
    },
    "number-inexact": {
      meaning: "A number has more digits than readers of JSON keep, so it would be rounded.",
      remedy: "Write it as text, in quotes, or with fewer digits.",
    },
    "part-missing": {
      meaning:
        "One of the five parts of the published directory is missing, or is not a file or folder inside it.",
      remedy: "Add the document or folder; `crawldex init` writes a directory that has all.",
    },
    "pinned-scan-unknown": {
      meaning: "A listing's `publishedScan` is not the id of one of its scans.",
      remedy: "Correct the id, add the scan, or leave the field out to publish the newest scan.",
    },
    "record-too-large": {
      meaning: "A record has more than 16 MiB.",
      remedy: "Leave out data that the format does not need.",
    },
    "related-unknown": {
      meaning: "`related` in standards.json names no check.",
      remedy: "Correct the id, or leave it out.",
    },
    "slug-unknown": {
      meaning: "A listing names a category, tag or platform that taxonomy.json does not have.",
      remedy:
        "Write an entry's `slug`, not its name, or add an entry; if it was renamed, add this slug to its `formerly`.",
    },
    "table-wrong": {
      meaning:
        "A table to import has a wrong form, lacks a column, is too large, or has records that are there already.",
      remedy: "Export it again as the message says; `--update` changes the records that are there.",
    },
    "text-ill-formed": {
      meaning: "A text has half of a surrogate pair, which is no Unicode character.",
      remedy: "Cut texts between characters, not between UTF-16 units.",
    },
    "value-wrong": {
      meaning: "A value has a wrong type, or is not one that the field may have.",
      remedy: "Write what the message expects.",
    },
  },
  warnings: {
    "band-unlike-rubric": {
      meaning:
        "A scan of an earlier version has another band than the rubric of that version gives to its score.",
      remedy:
        "Leave the band out, or correct the bands in `formerRubrics`; the scan keeps its own.",
    },
    "base-url-doubled": {
      meaning: "`baseUrl` ends in `/api`, to which the API adds its own `/api`.",
      remedy: "Leave `/api` out.",
    },
    "check-unknown": {
      meaning: "A scan has a check or a fix whose id standards.json does not have.",
      remedy: "Correct the id, or add the check to standards.json.",
    },
    "file-unread": {
      meaning: "A file or folder is not read, because of its name.",
      remedy: "Rename it if it has records, or move it out of the published directory.",
    },
    "html-in-text": {
      meaning: "A name or tagline has HTML, which readers see as it is written.",
      remedy: "Remove the tags, and write characters in place of references such as `&amp;`.",
    },
    "key-repeated": {
      meaning: "A key occurs more than once in an object; only the last one counts.",
      remedy: "Delete the others.",
    },
    "link-unfollowed": {
      meaning:
        "A link leads to nothing, out of the published directory, or to a folder that contains it.",
      remedy: "Copy what it leads to into the directory, or delete the link.",
    },
    "listing-withdrawn": {
      meaning: "A listing was taken down with `crawldex withdraw`. Only `build` knows this.",
      remedy:
        'State `"visibility": "removed"` in its record, or lift the withdrawal with `crawldex withdraw --restore`.',
    },
    "points-above-maximum": {
      meaning: "A check has more points than its `maxPoints`.",
      remedy: "Correct one of the two.",
    },
    "scan-in-future": {
      meaning: "A scan finished more than a day ahead of this machine's clock.",
      remedy: "Correct `finishedAt`, or the clock.",
    },
    "scan-without-listing": {
      meaning: "A scan's host has no listing, so the scan is left out.",
      remedy: "Add the listing, or delete the scan.",
    },
    "scans-lost": {
      meaning:
        "A listing that has a report has no scan any more, so its report goes. Only `build` knows this.",
      remedy: "Look for the file with its scans; state a `visibility` if the listing should go.",
    },
    "score-without-band": {
      meaning:
        "Published scores have a version whose rubric is not known, and no band of their own.",
      remedy: "Scan these sites again, or add the rubric of their version to `formerRubrics`.",
    },
    "status-unusual": {
      meaning: "A listing's status is not one that the search can filter by.",
      remedy: "Write `claimed` or `unclaimed`, or accept the warning if the word is meant.",
    },
    "template-left": {
      meaning: "A document still has what `crawldex init` or `crawldex import` wrote.",
      remedy: "Replace it before you publish.",
    },
    "text-misread": {
      meaning: "A text looks like UTF-8 that was read in another encoding, such as `CafÃ©`.",
      remedy: "Read it as UTF-8 where you export it.",
    },
    "url-elsewhere": {
      meaning: "A listing's `url` is on another host than the listing.",
      remedy: "Correct one of the two.",
    },
    "warnings-hidden": {
      meaning: "A record has more warnings than the 1,000 that are shown.",
      remedy: "Correct or accept those that are shown, and check again.",
    },
  },
} as const satisfies Readonly<
  Record<"errors" | "warnings", Readonly<Record<string, ProblemMeaning>>>
>;

/** The code of a warning. */
export type WarningCode = keyof typeof PROBLEM_CODES.warnings;
/** The code of an error or a warning. */
export type ProblemCode = keyof typeof PROBLEM_CODES.errors | WarningCode;

export function isWarningCode(code: unknown): code is WarningCode {
  return typeof code === "string" && Object.hasOwn(PROBLEM_CODES.warnings, code);
}

export function isErrorCode(code: string): boolean {
  return Object.hasOwn(PROBLEM_CODES.errors, code);
}

/** The codes of all warnings, which are those that can be accepted. */
export const WARNING_CODES: readonly WarningCode[] = Object.keys(PROBLEM_CODES.warnings).filter(
  isWarningCode,
);
