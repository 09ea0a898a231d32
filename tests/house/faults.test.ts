import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { markedIn, withoutHandling } from '../tools/fault-markers.ts';
import { handlings } from '../tools/fault-table.ts';

/** Each fault that a marker in `src` names, with the file. */
const marked = readdirSync('src', { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .flatMap((file) =>
    markedIn(file, readFileSync(file, 'utf8')).flatMap(({ faults }) =>
      faults.map((fault) => `fault ${fault} in ${file}`),
    ),
  );

/** `npm run faults` takes the handling out and sees a test turn red; here it is only looked for. */
describe('the handling of faults', () => {
  it('is known for each fault', () => {
    const all = Array.from({ length: 46 }, (_, i) => i + 1);
    expect(handlings.map(({ fault }) => fault)).to.deep.equal(all);
  });

  it('is marked nowhere but where the table says', () => {
    const known = handlings.map(({ fault, file }) => `fault ${fault} in ${file}`);
    expect(new Set(marked)).to.deep.equal(new Set(known));
  });

  for (const { fault, test, file, instead } of handlings)
    it(`is marked and can be taken out, with a test, for fault ${fault}`, () => {
      const source = readFileSync(file, 'utf8');
      expect(withoutHandling(file, source, fault, instead)).to.not.equal(source);
      expect(readFileSync(test, 'utf8')).to.include(`[fault ${fault}]`);
    });
});
