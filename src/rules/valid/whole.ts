import type { TypeName } from '#schema/index.ts';
import type { Broken } from './broken.ts';
import type { Checking, RecordRules } from './form.ts';
import { validate } from './index.ts';
import { brokenImport } from './project-import.ts';

/**
 * Does the same as `validate`, for files of projects too: the app leaves those to the page that
 * imports.
 */
export function validateWhole<T extends TypeName>(
  type: T,
  checking: Checking<T>,
  mayRead: Parameters<typeof validate>[2],
): readonly Broken[] {
  if (type !== 'projectImport') return validate(type, checking, mayRead);
  return validate(type, checking, mayRead, brokenImport as unknown as RecordRules<T>);
}
