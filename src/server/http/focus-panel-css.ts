/**
 * The look of the pages that the server writes: that of the app's focus panels (screens 4), without
 * its scripts. `width` is that of the card, in pixels.
 */
export const focusPanelCss = (width: number): string => `:root {
  color-scheme: light dark;
  --ground: #0a4f94; --surface: #ffffff; --ink: #17212b; --ink-soft: #51606f;
  --line: #dde3e9; --edge: #7d8894; --accent: #0a5aa8; --on-accent: #ffffff;
  --good: #1b7a45; --bad: #b3261e; --float: 0 6px 24px rgb(23 33 43 / 16%);
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10233a; --surface: #171d24; --ink: #e7edf3; --ink-soft: #a7b3bf;
    --line: #2a333d; --edge: #6b7885; --accent: #6db3ff; --on-accent: #0f1419;
    --good: #5ed39a; --bad: #ff8b82; --float: 0 6px 24px rgb(0 0 0 / 55%);
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; padding: 24px 16px; background: var(--ground);
  color: var(--ink); font: 15px/22px Lato, 'Helvetica Neue', Arial, sans-serif;
  overflow-wrap: anywhere; display: flex; flex-direction: column; align-items: center;
  justify-content: center; gap: 16px;
}
.card {
  width: 100%; max-width: ${String(width)}px; padding: 32px; border-radius: 6px;
  background: var(--surface); box-shadow: var(--float);
}
.brand { display: flex; gap: 10px; align-items: center; font-weight: 700; }
h1 { margin: 0; font-size: 24px; line-height: 32px; font-weight: 700; }
h2 { margin: 24px 0 8px; font-size: 17px; line-height: 24px; font-weight: 700; }
p { margin: 0 0 16px; }
main > :last-child { margin-bottom: 0; }
a { color: var(--accent); }
.help { color: var(--ink-soft); font-size: 13px; line-height: 18px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
nav { max-width: 880px; }
nav ul {
  display: flex; flex-wrap: wrap; justify-content: center; gap: 0 16px;
  margin: 0; padding: 0; list-style: none; font-size: 13px;
}
nav a { display: block; padding: 8px 0; color: #ffffff; }
nav [aria-current] { font-weight: 700; text-decoration: none; }
nav :focus-visible { outline-color: #ffffff; }
`;
