/** The look of the provider's pages: the product's tokens, without its scripts. */
export const pagesCss = `:root {
  color-scheme: light dark;
  --ground: #f4f6f8; --surface: #ffffff; --ink: #17212b; --ink-soft: #51606f;
  --line: #dde3e9; --edge: #7d8894; --accent: #0a5aa8; --on-accent: #ffffff;
  --good: #1b7a45; --bad: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1419; --surface: #171d24; --ink: #e7edf3; --ink-soft: #a7b3bf;
    --line: #2a333d; --edge: #6b7885; --accent: #6db3ff; --on-accent: #0f1419;
    --good: #5ed39a; --bad: #ff8b82;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; padding: 48px 16px; background: var(--ground); color: var(--ink);
  font: 15px/22px Lato, system-ui, sans-serif; overflow-wrap: anywhere;
  display: flex; flex-direction: column; align-items: center; gap: 16px;
}
header { font-weight: 600; font-size: 18px; line-height: 26px; }
main {
  width: 100%; max-width: 400px; padding: 32px; background: var(--surface);
  border: 1px solid var(--line); border-radius: 6px;
}
h1 { margin: 0 0 16px; font-size: 24px; line-height: 32px; font-weight: 600; }
p { margin: 0 0 16px; }
main > :last-child { margin-bottom: 0; }
form { margin: 0 0 16px; }
.field { margin-bottom: 16px; }
label { display: block; margin-bottom: 4px; font-weight: 600; }
input {
  width: 100%; min-height: 44px; padding: 8px 12px; border: 1px solid var(--edge);
  border-radius: 6px; background: var(--surface); color: inherit; font: inherit;
}
input[aria-invalid='true'] { border-color: var(--bad); }
.help { margin: 4px 0 0; color: var(--ink-soft); font-size: 13px; line-height: 18px; }
.error { margin: 4px 0 0; color: var(--bad); }
.error::before { content: '\\26A0\\00A0'; }
.notice { margin: 0 0 16px; padding: 12px; border: 1px solid var(--bad); border-radius: 6px; }
button, .button {
  display: block; width: 100%; min-height: 44px; padding: 10px 16px; border: 0; border-radius: 6px;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600;
  text-align: center; text-decoration: none; cursor: pointer;
}
a { color: var(--accent); }
a.button { color: var(--on-accent); }
.actions { display: flex; flex-wrap: wrap; gap: 8px 16px; margin: 8px 0 0; }
h2 { margin: 24px 0 8px; font-size: 17px; line-height: 24px; font-weight: 600; }
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
.codes { margin: 0 0 16px; padding: 0; list-style: none; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
nav ul {
  display: flex; flex-wrap: wrap; justify-content: center; gap: 8px 16px; margin: 0;
  padding: 0; list-style: none; font-size: 13px;
}
nav [aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
`;
