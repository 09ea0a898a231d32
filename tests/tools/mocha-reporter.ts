import Mocha from 'mocha';
import { noteTest } from './notes.ts';

/** How long a process may live on after its last test. */
const LIVES_ON_MS = 30_000;

/** Ends a process that something a test left open keeps alive; its run counts as failed. */
function endWhatLivesOn(): void {
  setTimeout(() => {
    const kept = [...new Set(process.getActiveResourcesInfo())].join(', ');
    process.stderr.write(`The process did not end after its last test; it holds: ${kept}\n`);
    // An exit code would be replaced by mocha's count of failures.
    process.kill(process.pid, 'SIGKILL');
  }, LIVES_ON_MS).unref();
}

/** Dots, a note of how each test ended, and an end also where a failed test left something open. */
export default class DotsAndNotes extends Mocha.reporters.Dot {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    runner.on('end', endWhatLivesOn);
    runner.on('pass', (test) => {
      noteTest({ file: test.file ?? null, titles: test.titlePath(), failure: null });
    });
    runner.on('fail', (test, error: Error) => {
      noteTest({ file: test.file ?? null, titles: test.titlePath(), failure: error.message });
    });
  }
}
