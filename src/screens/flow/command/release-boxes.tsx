import type { RefObject } from 'react';
import { limits } from '#protocol/limits.ts';
import { MOST_NOTES_LINES } from '#rules/valid/task-command.ts';
import { Button } from '#ui/form/controls.tsx';
import { Field } from '#ui/form/field.tsx';
import { useText } from '#ui/text/text.ts';
import type { Release } from './use-release.ts';

/** From here on the form says how many characters are left. */
const COUNTED_FROM = 1_500;

interface Props {
  readonly release: Release;
  readonly notesBox: RefObject<HTMLTextAreaElement>;
}

/** The boxes for the version and the notes of a release. */
export function ReleaseBoxes({ release, notesBox }: Props) {
  const t = useText();
  const { version, notes, isTaken, hasTooManyLines, lastNotes, write } = release;
  const tooLong = hasTooManyLines ? t('flow.releaseLines', { most: MOST_NOTES_LINES }) : null;
  const left = limits.releaseNotesCharacters - notes.length;
  const help = [
    t('flow.releaseNotesHelp'),
    notes.length >= COUNTED_FROM && t('flow.commentLeft', { count: left }),
  ].filter((line) => line !== false);
  return (
    <>
      <Field
        label={t('fields.release-version')}
        help={t('flow.releaseVersionHelp')}
        error={release.versionError}
        note={isTaken ? t('flow.releaseVersionTaken', { version: version.trim() }) : null}
      >
        {(tied) => (
          <input
            {...tied}
            type="text"
            className="release-version"
            dir="auto"
            maxLength={limits.releaseVersionCharacters}
            value={version}
            onChange={(event) => {
              write({ version: event.target.value });
            }}
          />
        )}
      </Field>
      <Field
        label={t('fields.release-notes')}
        help={help.join(' · ')}
        error={tooLong ?? release.notesError}
      >
        {(tied) => (
          <textarea
            {...tied}
            ref={notesBox}
            className="growing"
            rows={3}
            dir="auto"
            maxLength={limits.releaseNotesCharacters}
            value={notes}
            onChange={(event) => {
              write({ notes: event.target.value });
            }}
          />
        )}
      </Field>
      {lastNotes !== null && (
        <div className="release-last">
          <Button
            onClick={() => {
              write({ notes: lastNotes });
              // The button goes, and the notes can be gone through.
              notesBox.current?.focus();
            }}
          >
            {t('flow.releaseLastNotes')}
          </Button>
        </div>
      )}
    </>
  );
}
