import Mocha from 'mocha';
import { notePassed } from './passed.ts';

/** Dots, and a note of what passed. */
export default class DotsAndNotes extends Mocha.reporters.Dot {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    runner.on('pass', ({ title, file }) => {
      notePassed(title, file ?? null);
    });
  }
}
