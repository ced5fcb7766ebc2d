/** Styles of the methodology, in addition to the shared stylesheet and in its colours. */
export const STANDARDS_STYLESHEET = `.measure { max-width: 72ch; }
.prose > div + div { margin-top: 0.8rem; }
.prose dt { font-size: 0.875rem; color: var(--quiet); }
.prose dd { max-width: 72ch; white-space: pre-line; }
.scale { display: block; width: 100%; height: 0.7rem; border-radius: 99rem; overflow: hidden; }
.check details > * + * { margin-top: 0.8rem; }
.sources { display: grid; gap: 0.2rem; }
.anchor { color: inherit; text-decoration: none; }
.anchor:hover { text-decoration: underline; }
.check:target { outline: 2px solid var(--focus); outline-offset: -2px; border-radius: 0.5rem; }
.words { display: grid; gap: 0.4rem; }
.words label { font-weight: 600; }
.words input { max-width: 34rem; }
.words #told { min-height: 1.6em; }
`;
