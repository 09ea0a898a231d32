import type { TaskForm } from '#protocol/task-forms.ts';
import type { ReleaseSaid } from '#data/actions/tasks.ts';
import { releaseVersionOf, versionOfRelease } from '#rules/release.ts';
import { publishes } from '#rules/task/task.ts';
import { hasTooManyLines } from '#rules/valid/task-command.ts';
import type { Of } from '#schema/index.ts';
import { useList, useRecord } from '#data/react/hooks.ts';
import { useProblemText } from '../../app/page/changes/problem-text.ts';
import type { CommandRow } from './use-command.ts';
import type { StepDraft } from './use-step-draft.ts';

/** The version and the notes of the release that a step leads to, as they stand in its boxes. */
export interface Release {
  readonly version: string;
  readonly notes: string;
  /** What goes with the command: a version that nobody typed is the build's there too. */
  readonly said: ReleaseSaid;
  /** Another build was published as that version: people may take one for the other. */
  readonly isTaken: boolean;
  readonly hasTooManyLines: boolean;
  /** The server's word on what stands there. */
  readonly versionError: string | null;
  readonly notesError: string | null;
  /** The notes of the newest release, where nothing stands in the box. */
  readonly lastNotes: string | null;
  readonly write: (change: { readonly version?: string; readonly notes?: string }) => void;
}

const REPUBLISH = 3;
const NEWEST_FIRST_BEYOND = { sort: '-dateCreated', beyond: true } as const;

/**
 * Returns what is said of the release where `form` asks for it: what was typed, else what was
 * refused, else the version of the build, and the notes of a release of the same that failed before.
 * Null: the form does not lead to a release of the app.
 */
export function useRelease(
  form: TaskForm,
  { id: product, productWorkflow }: Of<'product'>,
  draft: StepDraft,
  refused: CommandRow | null,
): Release | null {
  const reasonOf = useProblemText();
  const { record: workflow } = useRecord('workflowDefinition', productWorkflow);
  const isRelease = form.release && workflow?.type !== REPUBLISH;
  const of = { product: isRelease ? product : '' };
  const options = isRelease ? NEWEST_FIRST_BEYOND : {};
  const { rows } = useList('productPublication', of, options);
  const { rows: builds } = useList('productBuild', of, options);
  if (!isRelease) return null;

  const build = builds[0] ?? null;
  const typedVersion = draft.typed.version ?? typedWith(refused, 'version');
  const version = typedVersion ?? releaseVersionOf(build) ?? '';
  const notes = draft.typed.notes ?? typedWith(refused, 'notes') ?? notesOfFailed(rows) ?? '';
  const lastNotes = rows.find(({ success }) => success === true)?.releaseNotes ?? null;
  const errorOf = (name: 'version' | 'notes', value: string): string | null => {
    const problem = refused?.problem ?? null;
    if (problem?.source?.pointer?.endsWith(`/release-${name}`) !== true) return null;
    return value === typedWith(refused, name) ? reasonOf(problem) : null;
  };
  return {
    version,
    notes,
    said: { version: typedVersion ?? '', notes },
    isTaken: isTaken(version, builds, rows),
    hasTooManyLines: hasTooManyLines(notes),
    versionError: errorOf('version', version),
    notesError: errorOf('notes', notes),
    lastNotes: notes.trim() === '' ? lastNotes : null,
    write: draft.write,
  };
}

/** Those of the newest release, if it failed; a roll back that did has those of an earlier one. */
function notesOfFailed(publications: readonly Of<'productPublication'>[]): string | null {
  const [newest] = publications;
  if (newest?.success !== false) return null;
  const isRollBack = publications.some(
    ({ success, productBuild }) => success === true && productBuild === newest.productBuild,
  );
  return isRollBack ? null : newest.releaseNotes;
}

function isTaken(
  version: string,
  builds: readonly Of<'productBuild'>[],
  publications: readonly Of<'productPublication'>[],
): boolean {
  const name = version.trim();
  return publications.some(
    (one) =>
      one.success === true &&
      name !== '' &&
      versionOfRelease(one, builds) === name &&
      one.productBuild !== builds[0]?.id,
  );
}

/**
 * What was typed of the release with a command that was refused or is on its way; null: nothing, or
 * it is none that publishes.
 */
export function typedWith(row: CommandRow | null, name: 'version' | 'notes'): string | null {
  if (row === null || !publishes(row.typed.state, row.typed.command)) return null;
  const { releaseVersion: version, releaseNotes: notes } = row.typed;
  if (name === 'version') return typeof version === 'string' ? version : null;
  // Blank notes are not sent, and were not wanted.
  return typeof notes === 'string' ? notes : '';
}
