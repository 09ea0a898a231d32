import { focusPanelCss } from '../focus-panel-css.ts';

/** The look of the provider's pages. */
export const pagesCss = `${focusPanelCss(460)}
.brand { margin-bottom: 24px; font-size: 18px; line-height: 26px; }
h1 { margin-bottom: 16px; }
form { margin: 0 0 16px; }
.field { margin-bottom: 16px; }
label { display: block; margin-bottom: 4px; font-weight: 700; }
input {
  width: 100%; min-height: 44px; padding: 8px 12px; border: 1px solid var(--edge);
  border-radius: 6px; background: var(--surface); color: inherit; font: inherit;
}
.password { position: relative; }
.password input:has(+ :not([hidden])) { padding-right: 48px; }
.password input:has(+ :not([hidden]))::-ms-reveal { display: none; }
.password button:not([hidden]) {
  position: absolute; top: 0; right: 0; display: grid; place-items: center; width: 44px; padding: 0;
  background: none; color: var(--ink-soft);
}
.password svg { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; }
.password [aria-pressed='false'] .slash { display: none; }
input[aria-invalid='true'] { border-color: var(--bad); }
.help { margin: 4px 0 0; }
.error { margin: 4px 0 0; color: var(--bad); }
.error::before { content: '\\26A0\\00A0'; }
.notice { margin: 0 0 16px; padding: 12px; border: 1px solid var(--bad); border-radius: 6px; }
button, .button {
  display: block; width: 100%; min-height: 44px; padding: 10px 16px; border: 0; border-radius: 6px;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 700;
  text-align: center; text-decoration: none; cursor: pointer;
}
a.button { color: var(--on-accent); }
.actions { display: flex; flex-wrap: wrap; gap: 8px 16px; margin: 8px 0 0; }
.devices { margin: 0 0 16px; padding: 0; list-style: none; }
.devices li { padding: 16px 0; border-top: 1px solid var(--line); }
.devices form { margin: 8px 0 0; }
.other { margin-top: 16px; }
.devices button, .other :is(button, .button) { background: none; border: 1px solid var(--edge); color: inherit; }
.passkey { margin: 0 0 16px; }
.passkey:not(.first) button, .passkey.first:not([hidden]) ~ button {
  background: none; border: 1px solid var(--edge); color: inherit;
}
[hidden] { display: none; }
.scan { width: 240px; max-width: 100%; margin: 0 0 16px; }
.scan svg { display: block; width: 100%; }
code { font: 15px/22px ui-monospace, monospace; }
.demo { padding-top: 8px; border-top: 1px solid var(--line); }
.demo h2 { margin-top: 16px; }
.demo ul { margin: 0; padding: 0; list-style: none; }
.demo button {
  display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 12px; margin-top: 8px;
  padding: 8px 12px; border: 1px solid var(--line); background: none; color: inherit;
  font-weight: 400; text-align: left;
}
.demo button:disabled { cursor: default; }
.demo button:enabled:hover { border-color: var(--accent); }
.demo small { flex-basis: 100%; color: var(--ink-soft); font-size: 13px; line-height: 18px; }
.codes { margin: 0 0 16px; padding: 0; list-style: none; }
`;
