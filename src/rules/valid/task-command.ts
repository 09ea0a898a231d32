import { taskCommand } from '#schema/task-command.ts';
import { publishes } from '../task/task.ts';
import { broken } from './broken.ts';
import type { RecordRules } from './form.ts';
import { isTooLong } from './length.ts';

/** The most lines that the notes of a release have. */
export const MOST_NOTES_LINES = 40;

/** A release has a version and notes, and no other command is about one. */
export const brokenTaskCommand: RecordRules<'taskCommand'> = ({ after }) => {
  const { command, state, releaseNotes: notes, releaseVersion: version } = after;
  if (!publishes(state, command))
    return [
      isBlank(version) ? null : broken('releaseVersion', 'mismatch'),
      isBlank(notes) ? null : broken('releaseNotes', 'mismatch'),
    ];
  const isLong = hasTooManyLines(notes ?? '');
  return [isLong ? broken('releaseNotes', 'range', { min: 0, max: MOST_NOTES_LINES }) : null];
};

const isBlank = (text: string | null) => text === null || text.trim() === '';

/** Says whether a page would show more lines of `notes` than a release may have. */
export function hasTooManyLines(notes: string): boolean {
  if (isTooLong(taskCommand.fields.releaseNotes, notes)) return false;
  return notes.trimEnd().split(/\r\n|[\n\r\u2028\u2029]/).length > MOST_NOTES_LINES;
}
