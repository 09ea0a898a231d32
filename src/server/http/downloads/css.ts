import { onColor } from '#base/colour.ts';
import { focusPanelCss } from '../focus-panel-css.ts';

/** The look of the download pages; `color` is the app's, checked to be `#rrggbb`. */
export const cssOf = (color: string): string => `${focusPanelCss(480)}
:root { --app: ${color}; --on-app: ${onColor(color)}; }
.app { display: flex; gap: 24px; align-items: center; margin-bottom: 24px; }
.app > div { min-width: 0; }
.tile, .app img { flex: none; width: 96px; height: 96px; border-radius: 20px; object-fit: contain; }
.tile { padding: 24px; background: var(--app); }
.tile path {
  fill: none; stroke: var(--on-app); stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round;
}
.publisher { margin: 4px 0 0; }
.facts, .code, footer { color: var(--ink-soft); font-size: 13px; line-height: 18px; }
.facts { margin: 4px 0 0; }
.facts > * { display: inline-block; }
[dir='rtl'] [dir='ltr'] { text-align: right; }
[dir='rtl'] .code { text-align: center; }
.facts > *:not(:last-child)::after { content: '·'; content: '·' / ''; margin: 0 6px; }
.text { white-space: pre-line; }
.to-project { margin: 16px 0 0; }
.to-project:not(:has(a)) { display: none; }
.name { margin: 4px 0 24px; color: var(--ink-soft); }
.button, .plain {
  display: block; min-height: 48px; padding: 12px 24px; margin-bottom: 16px;
  border: 1px solid var(--edge); border-radius: 6px; font-weight: 700; text-align: center;
  text-decoration: none;
}
.button { background: var(--app); color: var(--on-app); }
.button small, .plain small { display: block; font-size: 13px; line-height: 18px; font-weight: 400; }
.button:hover, .plain:hover { text-decoration: underline; }
.failed { color: var(--bad); }
.failed::before { content: '\\26A0\\00A0'; }
[hidden] { display: none !important; }
h2 { margin: 8px 0 4px; }
dl { margin: 0 0 16px; font-size: 13px; line-height: 18px; }
dt { color: var(--ink-soft); }
dd { margin: 0; }
dd code { font: 13px/18px ui-monospace, monospace; overflow-wrap: anywhere; user-select: all; }
.code { display: none; }
footer { margin-top: 24px; padding-top: 16px; border-top: 1px solid var(--line); }
footer a { color: inherit; text-decoration: none; }
footer a:hover { text-decoration: underline; }
.waits { display: none; }
.looking .waits { display: block; }
.looking .answer { display: none; }
.waits span {
  display: block; height: 20px; margin-bottom: 16px; border-radius: 6px; background: var(--line);
}
.waits span:first-child { width: 96px; height: 96px; border-radius: 20px; }
.waits span:last-child { width: 60%; }
@media (min-width: 768px) {
  .card { padding: 40px; }
  .card:has(.with-code) { max-width: 880px; }
  .with-code { display: grid; grid-template-columns: minmax(0, 1fr) 200px; column-gap: 48px; }
  .with-code > * { grid-column: 1; }
  .tile, .app img { width: 128px; height: 128px; border-radius: 26px; }
  .tile { padding: 32px; }
  .code {
    display: block; grid-column: 2; grid-row: 1 / span 12; align-self: start; margin: 0;
    text-align: center;
  }
  .code svg {
    display: block; width: 200px; height: 200px; margin-bottom: 12px;
    border: 1px solid var(--line); border-radius: 6px;
  }
}
`;
