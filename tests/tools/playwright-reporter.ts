import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { noteTest } from './notes.ts';

/** Notes how each test ended; the lines are another reporter's. */
export default class Notes implements Reporter {
  onTestEnd(test: TestCase, { status, error }: TestResult): void {
    if (status === 'skipped') return;
    const failure = status === 'passed' ? null : (error?.message ?? status);
    // The path begins with the titles of the run, of the project and of the file.
    noteTest({ file: test.location.file, titles: test.titlePath().slice(3), failure });
  }

  printsToStdio(): boolean {
    return false;
  }
}
