/** How a terminal shows a piece of text. Colours are 0–7, and 8–15 for the bright ones; null: its own. */
export interface AnsiStyle {
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
  readonly isInverse: boolean;
  readonly color: number | null;
  readonly background: number | null;
}

/** A piece of text in one style; null: it has none. */
export interface AnsiPiece {
  readonly text: string;
  readonly style: AnsiStyle | null;
}

const PLAIN: AnsiStyle = {
  isBold: false,
  isDim: false,
  isItalic: false,
  isUnderlined: false,
  isInverse: false,
  color: null,
  background: null,
};

/**
 * What leads a terminal: sequences with parameters, texts for it (titles, OSC 8 links), other escapes,
 * and control characters alone. A text that never ends goes on to the end of the line.
 */
const LEADING =
  /\u001B(?:\[([0-?]*)[ -/]*([@-~])?|[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[ -/]*[0-OQ-WYZ\\`-~]?)|[\u0000-\u0008\u000A-\u001A\u001C-\u001F\u007F-\u009F]/g;

/**
 * Turns a line of a terminal into pieces of plain text with the styles that ECMA-48 gives them by
 * SGR 0–4, 7, 22–24, 27, 30–37, 39–47, 49, 90–97 and 100–107. Everything else that leads a terminal
 * is left out, so that nothing of it acts and nothing of it shows.
 */
export function ansiPieces(line: string): readonly AnsiPiece[] {
  const pieces: AnsiPiece[] = [];
  let style = PLAIN;
  let from = 0;
  const take = (to: number) => {
    const text = line.slice(from, to);
    if (text !== '') pieces.push({ text, style: style === PLAIN ? null : style });
  };
  for (const found of line.matchAll(LEADING)) {
    const [whole, parameters, final] = found;
    take(found.index);
    from = found.index + whole.length;
    if (final === 'm') style = styled(style, parameters ?? '');
  }
  take(line.length);
  return pieces;
}

/** Returns the text of a line as it is read, without what leads a terminal. */
export const plainTextOf = (line: string): string =>
  ansiPieces(line)
    .map(({ text }) => text)
    .join('');

function styled(before: AnsiStyle, parameters: string): AnsiStyle {
  const codes = parameters.split(';').map(Number);
  let style = before;
  for (let i = 0; i < codes.length; i += 1) {
    const code = codes[i] ?? 0;
    // A colour of 256 or of three parts takes the numbers behind it along.
    if (code === 38 || code === 48) i += codes[i + 1] === 2 ? 4 : 2;
    else style = code === 0 ? PLAIN : { ...style, ...changeBy(code) };
  }
  return isPlain(style) ? PLAIN : style;
}

const isPlain = ({ color, background, ...marks }: AnsiStyle): boolean =>
  color === null && background === null && !Object.values(marks).some(Boolean);

const CHANGES: Readonly<Record<number, Partial<AnsiStyle>>> = {
  1: { isBold: true },
  2: { isDim: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  7: { isInverse: true },
  22: { isBold: false, isDim: false },
  23: { isItalic: false },
  24: { isUnderlined: false },
  27: { isInverse: false },
  39: { color: null },
  49: { background: null },
};

function changeBy(code: number): Partial<AnsiStyle> {
  if (code >= 30 && code <= 37) return { color: code - 30 };
  if (code >= 90 && code <= 97) return { color: code - 90 + 8 };
  if (code >= 40 && code <= 47) return { background: code - 40 };
  if (code >= 100 && code <= 107) return { background: code - 100 + 8 };
  return CHANGES[code] ?? {};
}
