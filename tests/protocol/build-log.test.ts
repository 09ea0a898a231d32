import { expect } from 'chai';
import {
  failingLineIn,
  parseBuildLogLine,
  phasesIn,
  timedLine,
} from '#protocol/builds/build-log.ts';

const at = (second: number) => new Date(Date.UTC(2026, 2, 4, 5, 6, second)).toISOString();
const parsed = (...lines: readonly string[]) => lines.map(parseBuildLogLine);

describe('the lines of a build’s log', () => {
  it('are told apart by their marks', () => {
    const lines = ['== Done', 'Note: no licence', 'Failed: no room', 'Packing 3 files'];
    expect(parsed(...lines.map((line) => timedLine(at(1), line)))).to.deep.equal([
      { at: at(1), is: 'phase', text: 'Done' },
      { at: at(1), is: 'remark', text: 'Note: no licence' },
      { at: at(1), is: 'failure', text: 'Failed: no room' },
      { at: at(1), is: 'text', text: 'Packing 3 files' },
    ]);
  });

  it('have neither times nor phases where another engine wrote them', () => {
    expect(parsed('== Phase ==', '2026-03-04 05:06:07 INFO begun', '')).to.deep.equal([
      { at: null, is: 'text', text: '== Phase ==' },
      { at: null, is: 'text', text: '2026-03-04 05:06:07 INFO begun' },
      { at: null, is: 'text', text: '' },
    ]);
  });

  it('have no time where what begins them is none', () => {
    const line = '2026-99-99T99:99:99.999Z == Packing';
    expect(parseBuildLogLine(line)).to.deep.equal({ at: null, is: 'text', text: line });
  });

  it('make phases, each from its line to the next', () => {
    const lines = parsed(
      `${at(1)} == Unpacking 3 files`,
      `${at(2)} Note: no licence`,
      `${at(4)} == Done`,
    );
    expect(phasesIn(lines)).to.deep.equal([
      { line: 0, text: 'Unpacking 3 files', lastedMs: 3_000 },
      { line: 2, text: 'Done', lastedMs: null },
    ]);
    expect(phasesIn(parsed('== Unpacking', 'Done'))).to.deep.equal([]);
  });

  describe('of a failed build', () => {
    it('say why in the last one that begins with Failed', () => {
      expect(failingLineIn(parsed('Failed: first', 'error', 'Failed: last', 'after it'))).to.equal(
        2,
      );
      expect(failingLineIn(parsed('a', '\u001b[31mFailed: in red\u001b[0m', 'error'))).to.equal(1);
    });

    it('say it else in the first of the last 200 that has a word of trouble', () => {
      expect(failingLineIn(parsed('fine', 'ERROR 1', 'a fatal thing', 'end'))).to.equal(1);
      expect(failingLineIn(parsed('mirrors and terrors', 'Exception in main'))).to.equal(1);
      const many = Array.from({ length: 210 }, (_, i) =>
        i < 10 ? 'error' : i < 209 ? 'fine' : 'fatal',
      );
      expect(failingLineIn(parsed(...many))).to.equal(209);
    });

    it('say it in the last one where none has such a word', () => {
      expect(failingLineIn(parsed('one', 'two'))).to.equal(1);
      expect(failingLineIn([])).to.equal(null);
    });
  });
});
