import { onColor } from '#base/colour.ts';

/** The look of the download pages; `color` is the app's, checked to be `#rrggbb`. */
export const cssOf = (color: string): string => `:root {
  color-scheme: light dark;
  --ground: #f4f6f8; --surface: #ffffff; --ink: #17212b; --ink-soft: #51606f;
  --line: #dde3e9; --edge: #7d8894; --accent: #0a5aa8; --bad: #b3261e;
  --app: ${color}; --on-app: ${onColor(color)};
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1419; --surface: #171d24; --ink: #e7edf3; --ink-soft: #a7b3bf;
    --line: #2a333d; --edge: #6b7885; --accent: #6db3ff; --bad: #ff8b82;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; padding: 48px 16px 24px; background: var(--ground);
  color: var(--ink); font: 15px/22px Lato, system-ui, sans-serif; overflow-wrap: anywhere;
  display: flex; flex-direction: column; align-items: center; gap: 24px;
}
main {
  width: 100%; max-width: 480px; padding: 32px; background: var(--surface);
  border: 1px solid var(--line); border-radius: 6px;
}
main > :last-child { margin-bottom: 0; }
h1 { margin: 0; font-size: 24px; line-height: 32px; font-weight: 600; }
h2 { margin: 24px 0 4px; font-size: 17px; line-height: 24px; font-weight: 600; }
p { margin: 0 0 16px; }
.app { display: flex; gap: 24px; align-items: center; margin-bottom: 24px; }
.app img { flex: none; width: 96px; height: 96px; border-radius: 20px; object-fit: contain; }
.facts, .help, footer { color: var(--ink-soft); font-size: 13px; line-height: 18px; }
.facts { margin: 8px 0 0; }
.facts > * { display: inline-block; }
.help { margin-bottom: 0; }
[dir='rtl'] [dir='ltr'] { text-align: right; }
[dir='rtl'] .code { text-align: center; }
.facts span + span::before, .facts span + time::before { content: '·'; margin: 0 6px; }
.text { white-space: pre-line; }
.to-project { margin: 16px 0 0; }
.to-project:not(:has(a)) { display: none; }
.name { margin: 4px 0 24px; color: var(--ink-soft); }
.button {
  display: block; width: 100%; min-height: 48px; padding: 12px 24px; margin-bottom: 16px;
  border: 1px solid var(--edge); border-radius: 6px; background: var(--app); color: var(--on-app);
  font: inherit; font-weight: 600; text-align: center; text-decoration: none;
}
.button:hover { text-decoration: underline; }
.plain {
  display: inline-block; min-height: 44px; padding: 11px 24px; border: 1px solid var(--edge);
  border-radius: 6px; background: none; color: var(--accent); font: inherit; font-weight: 600;
  text-decoration: none; cursor: pointer;
}
.plain:hover { text-decoration: underline; }
.failed { color: var(--bad); }
.failed::before { content: '\\26A0\\00A0'; }
[hidden] { display: none !important; }
.code { display: none; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
nav { max-width: 880px; }
nav ul {
  display: flex; flex-wrap: wrap; justify-content: center; gap: 0 16px;
  margin: 0; padding: 0; list-style: none; font-size: 13px;
}
nav li a { display: block; padding: 8px 0; }
nav [aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
footer { margin-top: auto; }
footer a { display: inline-flex; gap: 8px; align-items: center; color: inherit; }
.waits { display: none; }
.looking .waits { display: block; }
.looking .answer { display: none; }
.waits span {
  display: block; height: 20px; margin-bottom: 16px; border-radius: 6px; background: var(--line);
}
.waits span:first-child { width: 96px; height: 96px; border-radius: 20px; }
.waits span:last-child { width: 60%; }
@media (min-width: 768px) {
  main { padding: 40px; }
  main.with-code {
    display: grid; grid-template-columns: 1fr 200px; column-gap: 48px; max-width: 880px;
  }
  .with-code > * { grid-column: 1; }
  .app img { width: 128px; height: 128px; border-radius: 26px; }
  .code {
    display: block; grid-column: 2; grid-row: 1 / span 10; align-self: center; margin: 0;
    color: var(--ink-soft); font-size: 13px; line-height: 18px; text-align: center;
  }
  .code svg {
    display: block; width: 200px; height: 200px; margin-bottom: 12px;
    border: 1px solid var(--line); border-radius: 6px;
  }
}
`;
