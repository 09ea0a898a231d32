import { expect } from 'chai';
import { csvOf } from '#base/csv.ts';

const BOM = '\uFEFF';

describe('a CSV file', () => {
  it('has one line for each row, and cells with commas, quotes and breaks in quotes', () => {
    expect(
      csvOf([
        ['a', 'b, c'],
        ['say "no"', 'one\ntwo'],
        ['', 'ñ'],
      ]),
    ).to.equal(`${BOM}a,"b, c"\r\n"say ""no""","one\ntwo"\r\n,ñ\r\n`);
  });

  it('holds no cell that a spreadsheet would run as a formula', () => {
    const evil = [
      '=HYPERLINK("https://evil.test","x")',
      "+1+cmd|' /C calc'!A0",
      '-2+3',
      '@SUM(A1)',
      '\t=1+1',
      '\r=1+1',
      ' =1+1',
      '|calc',
    ];
    for (const text of evil) {
      const written = csvOf([[text]]);
      expect(written, text).to.equal(`${BOM}"'${text.replaceAll('"', '""')}"\r\n`);
    }
  });

  it('leaves what only looks like one inside its text as it is', () => {
    expect(csvOf([['a=b', '1 - 2', 'me@lakeside.test']])).to.equal(
      `${BOM}a=b,1 - 2,me@lakeside.test\r\n`,
    );
  });

  it('keeps a spreadsheet that splits at semicolons from finding a formula inside a cell', () => {
    expect(csvOf([['x;=1+1;y', 'a; b', 'name;\t@SUM(1)']])).to.equal(
      '\uFEFF"x;\'=1+1;y","a; b","name;\t\'@SUM(1)"\r\n',
    );
  });
});
