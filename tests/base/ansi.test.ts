import { expect } from 'chai';
import { ansiPieces, plainTextOf } from '#base/terminal/ansi.ts';

const ESC = '\u001b';
/** Pieces as text with what differs from plain. */
const shown = (line: string) =>
  ansiPieces(line).map(({ text, style }) => {
    const marks = Object.entries(style ?? {}).filter(
      ([, value]) => value !== false && value !== null,
    );
    return marks.length === 0 ? text : [text, Object.fromEntries(marks)];
  });

describe('a line as a terminal shows it', () => {
  it('is one piece where nothing leads a terminal', () => {
    expect(shown('plain <script>alert(1)</script>')).to.deep.equal([
      'plain <script>alert(1)</script>',
    ]);
    expect(shown('')).to.deep.equal([]);
  });

  it('has colours and weights until they end', () => {
    expect(shown(`a ${ESC}[1;31mred${ESC}[22m thin${ESC}[0m end`)).to.deep.equal([
      'a ',
      ['red', { isBold: true, color: 1 }],
      [' thin', { color: 1 }],
      ' end',
    ]);
    expect(shown(`${ESC}[3;4;7mx${ESC}[23;24;27my${ESC}[2mz${ESC}[my`)).to.deep.equal([
      ['x', { isItalic: true, isUnderlined: true, isInverse: true }],
      'y',
      ['z', { isDim: true }],
      'y',
    ]);
  });

  it('tells bright colours and backgrounds apart', () => {
    expect(shown(`${ESC}[30;47ma${ESC}[97;100mb${ESC}[39mc${ESC}[49md`)).to.deep.equal([
      ['a', { color: 0, background: 7 }],
      ['b', { color: 15, background: 8 }],
      ['c', { background: 8 }],
      'd',
    ]);
  });

  it('passes over colours that it does not know, with their numbers', () => {
    expect(shown(`${ESC}[38;5;1ma${ESC}[48;2;4;7;1mb${ESC}[38;5;1;32mc`)).to.deep.equal([
      'a',
      'b',
      ['c', { color: 2 }],
    ]);
  });

  it('leaves out whatever else leads a terminal', () => {
    const link = `${ESC}]8;;javascript:alert(1)${ESC}\\click${ESC}]8;;${ESC}\\`;
    const lines = [
      `${link} me`,
      `${ESC}]0;title\u0007${ESC}[2J${ESC}[10;5Hclick me`,
      `cl\u0000i\u0007c\u0008k${ESC}c \u009bm\u007fe\r`,
      `click${ESC}Pq me${ESC}\\ me`,
    ];
    expect(lines.map(plainTextOf)).to.deep.equal(Array(4).fill('click me'));
    expect(plainTextOf(`a${ESC}]8;;never ends`)).to.equal('a');
    expect(plainTextOf(`a\tb${ESC}`)).to.equal('a\tb');
  });

  it('is read in a time that grows with its length alone', () => {
    const long = `${ESC}[${';'.repeat(100_000)}${ESC}]${'x'.repeat(100_000)}${ESC}`;
    expect(plainTextOf(long)).to.equal('');
  });
});
