import type { TypeName } from '#schema/index.ts';
import type { Broken } from './broken.ts';
import type { Checking, RecordRules } from './form.ts';
import { validate } from './index.ts';
import { brokenActionRun } from './product-action-run.ts';
import { brokenComment } from './product-comment.ts';
import { brokenImport } from './project-import.ts';
import { brokenView } from './saved-view.ts';

/** The rules that the app leaves to a page of its own, or to the server. */
const more: { readonly [T in TypeName]?: RecordRules<T> } = {
  productActionRun: brokenActionRun,
  productComment: brokenComment,
  projectImport: brokenImport,
  savedView: brokenView,
};

/** Does the same as `validate`, with the rules that the first load of the app does without. */
export function validateWhole<T extends TypeName>(
  type: T,
  checking: Checking<T>,
  mayRead: Parameters<typeof validate>[2],
): readonly Broken[] {
  return validate(type, checking, mayRead, more[type]);
}
