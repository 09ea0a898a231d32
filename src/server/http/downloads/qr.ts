import { generate } from 'lean-qr';
import { html } from '#base/html.ts';
import type { Html } from '#base/html.ts';

/** The empty margin that readers need around the code, in its own squares. */
const MARGIN = 4;

/** Returns `text` as a picture that phones read, in black on white whatever the page is in. */
export function qrCode(text: string, label: string): Html {
  const code = generate(text);
  const side = code.size + 2 * MARGIN;
  const marks: string[] = [];
  for (let y = 0; y < code.size; y += 1)
    for (let x = 0; x < code.size; x += 1)
      if (code.get(x, y)) marks.push(`M${x + MARGIN} ${y + MARGIN}h1v1h-1z`);
  const box = `0 0 ${side} ${side}`;
  return html`<svg role="img" aria-label="${label}" viewBox="${box}" shape-rendering="crispEdges">
    <rect width="100%" height="100%" fill="#fff" />
    <path fill="#000" d="${marks.join('')}" />
  </svg>`;
}
