/** Styles of the API page, in addition to the shared stylesheet and in its colours. */
export const API_STYLESHEET: string = `.measure { max-width: 72ch; }
.prose > div + div { margin-top: 0.8rem; }
.prose dt { font-size: 0.875rem; color: var(--quiet); }
.prose dd { max-width: 72ch; white-space: pre-line; }
.read h3 { margin-top: 1.6rem; }
.endpoint code { padding: 0.25rem 0.6rem; background: var(--band); border: 1px solid var(--line); border-radius: 0.4rem; overflow-wrap: anywhere; }
.try { padding: 0 1.1rem 1.1rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem; }
.try h3 { margin-top: 1rem; }
.try input, .try select { width: 100%; }
.field { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.2rem 1.2rem; padding-block: 0.8rem; }
.field + .field, .optional { border-top: 1px solid var(--line); }
.field .quiet { font-size: 0.875rem; line-height: 1.45; }
.allowed { display: block; overflow-wrap: anywhere; }
.optional { min-width: 0; margin: 0; padding: 0; border-width: 1px 0 0; border-style: solid; border-color: var(--line); }
.send { display: flex; gap: 0.6rem; margin-top: 0.8rem; }
.reply > * { margin-top: 0.8rem; }
.reply-status { display: flex; flex-wrap: wrap; gap: 0.4rem 0.8rem; align-items: baseline; }
.reply-headers { font-family: var(--mono); font-size: 0.8125rem; overflow-wrap: anywhere; }
.reply-headers div { display: flex; flex-wrap: wrap; gap: 0 0.6rem; }
.reply-headers dt { color: var(--quiet); }
tr:target th { color: var(--link); text-decoration: underline; }
@media (min-width: 48rem) {
  .field { grid-template-columns: 11rem minmax(0, 1fr); }
  .field label { grid-row: span 2; }
}
`;
