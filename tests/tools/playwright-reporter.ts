import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { notePassed } from './passed.ts';

/** Notes what passed; the lines are another reporter's. */
export default class Notes implements Reporter {
  onTestEnd({ title, location }: TestCase, { status }: TestResult): void {
    if (status === 'passed') notePassed(title, location.file);
  }

  printsToStdio(): boolean {
    return false;
  }
}
