import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { noteTest } from './notes.ts';

/** Notes how each test ended; the lines are another reporter's. */
export default class Notes implements Reporter {
  onTestEnd({ title, location: { file } }: TestCase, { status, error }: TestResult): void {
    if (status === 'skipped') return;
    const failure = status === 'passed' ? null : (error?.message ?? status);
    noteTest({ file, title, failure });
  }

  printsToStdio(): boolean {
    return false;
  }
}
