import type { TaskForm } from '#protocol/task-forms.ts';
import { hasTooManyLines } from '#rules/valid/task-command.ts';
import type { Of } from '#schema/index.ts';
import { useList } from '#data/react/hooks.ts';
import { useProblemText } from '../../app/page/changes/problem-text.ts';
import { useNewestBuild } from '../task.tsx';
import type { CommandRow } from './use-command.ts';
import type { Draft } from './use-draft.ts';

/** The version and the notes of the release that a step leads to, as they stand in its boxes. */
export interface Release {
  readonly version: string;
  readonly notes: string;
  /** Another build was published as that version: people may take one for the other. */
  readonly isTaken: boolean;
  readonly hasTooManyLines: boolean;
  /** The server's word on what stands there. */
  readonly versionError: string | null;
  readonly notesError: string | null;
  /** The notes of the newest release, where they are not in the box. */
  readonly lastNotes: string | null;
  readonly write: (change: { readonly version?: string; readonly notes?: string }) => void;
}

/**
 * Returns what is said of the release where `form` asks for it: what was typed, else what was
 * refused, else the version of the build, and the notes of a release that failed before. Null:
 * the form does not lead to a release.
 */
export function useRelease(
  form: TaskForm,
  product: string,
  draft: Draft,
  refused: CommandRow | null,
): Release | null {
  const reasonOf = useProblemText();
  const build = useNewestBuild(product);
  const { rows } = useList(
    'productPublication',
    { product: form.release ? product : '' },
    form.release ? { sort: '-dateCreated', beyond: true } : {},
  );
  if (!form.release) return null;

  const [newest] = rows;
  const out = rows.find(({ success }) => success === true);
  const suggestedNotes = newest?.success === false ? newest.releaseNotes : null;
  const version = draft.typed.version ?? typedWith(refused, 'version') ?? build?.buildVersion ?? '';
  const notes = draft.typed.notes ?? typedWith(refused, 'notes') ?? suggestedNotes ?? '';
  const lastNotes = out?.releaseNotes ?? null;
  const errorOf = (name: 'version' | 'notes', value: string): string | null => {
    const problem = refused?.problem ?? null;
    if (problem?.source?.pointer?.endsWith(`/release-${name}`) !== true) return null;
    return value === typedWith(refused, name) ? reasonOf(problem) : null;
  };
  return {
    version,
    notes,
    isTaken: isTaken(version, build, rows),
    hasTooManyLines: hasTooManyLines(notes),
    versionError: errorOf('version', version),
    notesError: errorOf('notes', notes),
    lastNotes: lastNotes === notes ? null : lastNotes,
    write: draft.write,
  };
}

function isTaken(
  version: string,
  build: Of<'productBuild'> | null,
  publications: readonly Of<'productPublication'>[],
): boolean {
  const name = version.trim();
  return publications.some(
    ({ success, releaseVersion, productBuild }) =>
      success === true && name !== '' && releaseVersion === name && productBuild !== build?.id,
  );
}

/** What was typed of the release with a command that was refused or is on its way; null: nothing. */
export function typedWith(row: CommandRow | null, name: 'version' | 'notes'): string | null {
  const value = name === 'version' ? row?.typed.releaseVersion : row?.typed.releaseNotes;
  return typeof value === 'string' ? value : null;
}
