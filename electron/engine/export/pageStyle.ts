/** The look of a heatmap's page. Black on cividis-like light shades; on dark the same order, from dim to bright. */
export const pageStyle = `
:root { color-scheme: light dark; --paper: #fbfaf7; --ink: #1b1b1a; --quiet: #5d5b55; --line: #d9d6cc; --card: #fff; --mark: #12355b; --hatch: #cbc8bf;
  --s1: #f6f0d0; --s2: #f3e6a8; --s3: #f2d974; --s4: #f3c545; --s5: #f0a63a; --s6: #ee8a4a; }
@media (prefers-color-scheme: dark) { :root { --paper: #161614; --ink: #ecebe6; --quiet: #a8a69e; --line: #3a3934; --card: #1e1e1b; --mark: #9cc7ff; --hatch: #4d4b45;
  --s1: #3b3620; --s2: #4c4321; --s3: #5b4e1c; --s4: #705817; --s5: #8b5b15; --s6: #a34e20; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 52rem; padding: 24px 16px 96px; background: var(--paper); color: var(--ink); font: 15px/1.65 system-ui, sans-serif; }
h1 { font-size: 20px; line-height: 1.3; margin: 0 0 8px; }
h2 { font-size: 15px; margin: 32px 0 8px; }
h3 { font-size: 13px; margin: 0 0 8px; color: var(--quiet); font-weight: 600; }
p { margin: 0 0 8px; }
h1, h2, p { overflow-wrap: anywhere; }
.quiet { color: var(--quiet); font-size: 13px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 16px; list-style: none; margin: 8px 0; padding: 0; font-size: 13px; }
.legend span { padding: 2px 6px; border-radius: 3px; }
.choices { border: 0; margin: 0; padding: 0; font-size: 13px; }
.choices label { margin-inline-end: 16px; display: inline-flex; gap: 6px; align-items: center; min-height: 28px; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 6px; margin: 0 0 12px; padding: 16px 20px; content-visibility: auto; contain-intrinsic-size: auto 800px; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; border-radius: 3px; }
.text:focus-visible { outline: 2px solid var(--mark); outline-offset: 4px; }
.s1 { background: var(--s1); } .s2 { background: var(--s2); } .s3 { background: var(--s3); }
.s4 { background: var(--s4); } .s5 { background: var(--s5); } .s6 { background: var(--s6); }
.always { background: repeating-linear-gradient(135deg, var(--hatch) 0 1.5px, transparent 1.5px 6px); }
.k1, .k2, .k3 { text-decoration: underline dotted 2px var(--mark); text-underline-offset: 3px; text-decoration-skip-ink: none; }
.k2 { text-decoration-style: solid; text-decoration-thickness: 1px; }
.k3 { text-decoration-style: solid; text-decoration-thickness: 3px; }
.no-shades .text span { background: none; }
.no-marks .text span { text-decoration: none; }
.box { position: absolute; border: 2px solid var(--mark); border-radius: 3px; pointer-events: none; }
#about { position: fixed; inset: auto 0 0 0; margin: 0; padding: 12px 16px; background: var(--card); border-top: 1px solid var(--line); font-size: 13px; text-align: center; min-height: 44px; }
@media print { body { max-width: none; padding: 0; background: #fff; } #about, .choices, .box { display: none; }
  section { border: 0; padding: 0; content-visibility: visible; } h3 { break-after: avoid; } .text { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
`;
