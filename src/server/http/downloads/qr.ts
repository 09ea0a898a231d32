import { html } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import { qrCodeOf } from '#base/qr-code.ts';

/** Returns `text` as a picture that phones read, in black on white whatever the page is in. */
export function qrCode(text: string, label: string): Html {
  const { sidePx, path } = qrCodeOf(text);
  const box = `0 0 ${sidePx} ${sidePx}`;
  return html`<svg role="img" aria-label="${label}" viewBox="${box}" shape-rendering="crispEdges">
    <rect width="100%" height="100%" fill="#fff" />
    <path fill="#000" d="${path}" />
  </svg>`;
}
