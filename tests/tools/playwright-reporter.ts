import { readFileSync } from 'node:fs';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { noteTest } from './notes.ts';

/** Of what the page showed when a test failed, so many characters are printed of its head and of its foot. */
const SHOWN_CHARACTERS = 1_500;

/** Notes how each test ended, and what its page showed where it failed; the lines are another reporter's. */
export default class Notes implements Reporter {
  onTestEnd(test: TestCase, { status, error, attachments }: TestResult): void {
    if (status === 'skipped') return;
    const failure =
      status === 'passed' ? null : `${error?.message ?? status}\n${pageShown(attachments)}`;
    // The path begins with the titles of the run, of the project and of the file.
    noteTest({ file: test.location.file, titles: test.titlePath().slice(3), failure });
  }

  printsToStdio(): boolean {
    return false;
  }
}

/** The accessibility tree of the page as the runner kept it; '' where it kept none. */
function pageShown(attachments: TestResult['attachments']): string {
  const path = attachments.find(({ name }) => name === 'error-context')?.path;
  if (path === undefined) return '';
  const [, tree = ''] = /```yaml\n(.*?)```/s.exec(readFileSync(path, 'utf8')) ?? [];
  if (tree.length <= 2 * SHOWN_CHARACTERS) return tree;
  return `${tree.slice(0, SHOWN_CHARACTERS)}\n…\n${tree.slice(-SHOWN_CHARACTERS)}`;
}
