import { generate } from 'lean-qr';

/** A QR code on a square of `sidePx` by `sidePx`, with the empty margin that readers need. */
export interface QrCode {
  readonly sidePx: number;
  /** The data of an SVG path that fills the dark squares, each of side 1. */
  readonly path: string;
}

/** The empty margin around the code, in its own squares. */
const MARGIN = 4;

/** Returns `text` as a code that phones read. */
export function qrCodeOf(text: string): QrCode {
  const code = generate(text);
  const bars: string[] = [];
  for (let y = 0; y < code.size; y += 1)
    for (let x = 0; x < code.size; x += 1) {
      const from = x;
      while (code.get(x, y)) x += 1;
      // One bar for each run of squares: a page has 40 kB, and one for each square takes four.
      if (x > from) bars.push(`M${from + MARGIN} ${y + MARGIN}h${x - from}v1H${from + MARGIN}z`);
    }
  return { sidePx: code.size + 2 * MARGIN, path: bars.join('') };
}
