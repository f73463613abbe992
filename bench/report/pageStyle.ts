/** How the report's page looks. Nothing in it needs escaping in HTML. */
export const pageStyle = `
:root { color-scheme: light dark; --ground: #ffffff; --text: #1b1b1b; --faint: #5c5c5c; --edge: #cfcfcf; --link: #00539b; --raised: #f4f5f7; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #16181c; --text: #ececec; --faint: #b0b0b0; --edge: #45484f; --link: #8cc4ff; --raised: #1f2227; }
}
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 1rem 1.5rem 4rem; }
h1, h2, h3, h4 { line-height: 1.25; }
h2 { margin-top: 3rem; border-top: 1px solid var(--edge); padding-top: 1.5rem; }
a { color: var(--link); }
code { font: 0.85em ui-monospace, monospace; overflow-wrap: anywhere; }
.origin, .note { color: var(--faint); font-size: 0.875rem; overflow-wrap: anywhere; }
.about { max-width: 48rem; }
.machines { display: grid; gap: 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 34rem), 1fr)); }
.scrolled { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: 0.25rem 0; font-weight: 600; }
th, td { border: 1px solid var(--edge); padding: 0.25rem 0.6rem; text-align: left; white-space: nowrap; }
thead th { background: var(--raised); }
tbody th { font-weight: 400; }
th.number, td.number { text-align: right; }
figure { margin: 1rem 0; overflow-x: auto; }
.plot { max-width: 100%; height: auto; }
.verdicts { padding-left: 1.25rem; }
`;
