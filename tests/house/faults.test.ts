import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { handlings } from '../tools/fault-table.ts';
import { replaced } from '../tools/replace-lines.ts';

/** `npm run faults` takes these lines out and sees a test turn red; here they are only looked for. */
describe('the lines that handle faults', () => {
  it('are known for each fault', () => {
    const all = Array.from({ length: 46 }, (_, i) => i + 1);
    expect(handlings.map(({ fault }) => fault)).to.deep.equal(all);
  });

  for (const { fault, test, out } of handlings)
    it(`are there once, with a test, for fault ${fault}`, () => {
      for (const [file, lines] of out) {
        const source = readFileSync(file, 'utf8');
        expect(replaced(file, source, lines)).to.not.equal(source);
      }
      expect(readFileSync(test, 'utf8')).to.include(`[fault ${fault}]`);
    });
});
