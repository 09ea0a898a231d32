import { useState } from 'react';
import type { ReactNode } from 'react';
import type { Find } from '#rules/find.ts';
import type { Of } from '#schema/index.ts';
import { useData } from '#data/react/hooks.ts';
import { useText } from '#ui/text/text.ts';
import { LateDialog, loadWithTexts } from '../../app/page/late/late-part.tsx';

const loadQuestion = loadWithTexts(
  async () => (await import('./switch-off-question.tsx')).SwitchOffQuestion,
);

/**
 * Says whether archiving `projects` closes addresses that others may be using. Without the script that
 * knows them it may.
 */
export const mayTakeAway = (projects: readonly Of<'project'>[], find: Find): Promise<boolean> =>
  import('./public-addresses.ts').then(
    ({ archivingTakesAway }) => archivingTakesAway(projects, find),
    () => true,
  );

interface AskedArchiving {
  readonly projects: readonly Of<'project'>[];
  readonly run: () => void;
}

interface UseArchiveQuestionResult {
  /**
   * Runs what archives or reactivates `projects`, first asking where links that others have would
   * stop working.
   */
  readonly ask: (
    operation: 'archive' | 'reactivate',
    projects: readonly Of<'project'>[],
    run: () => void,
  ) => void;
  /** The question, while it stands. */
  readonly question: ReactNode;
}

/** Asks before an archiving by which others lose what was published (screens 1.6). */
export function useArchiveQuestion(): UseArchiveQuestionResult {
  const t = useText();
  const { find } = useData();
  const [asked, setAsked] = useState<AskedArchiving | null>(null);
  return {
    ask: (operation, projects, run) => {
      if (operation === 'reactivate') run();
      else
        void mayTakeAway(projects, find).then((takesAway) => {
          if (takesAway) setAsked({ projects, run });
          else run();
        });
    },
    question: asked !== null && (
      <LateDialog
        load={loadQuestion}
        title={t('projects.bulk.archive')}
        props={{
          projects: asked.projects,
          which: 'archive' as const,
          onClose: () => {
            setAsked(null);
          },
          onConfirm: asked.run,
        }}
      />
    ),
  };
}
