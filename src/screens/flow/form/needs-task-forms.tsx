import type { ReactNode } from 'react';
import type { TaskForms } from '#protocol/task-forms.ts';
import { ErrorBox, useIsSlow } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';
import { useTaskForms } from './use-task-forms.ts';

interface Props {
  readonly children: (all: TaskForms) => ReactNode;
}

/** Draws with the task forms; until they are here says so, and what helps when they cannot be had. */
export function NeedsTaskForms({ children }: Props) {
  const t = useText();
  const forms = useTaskForms();
  switch (forms.is) {
    case 'here':
      return children(forms.all);
    case 'coming':
      return <Coming />;
    case 'missing':
      return (
        <ErrorBox title={t('flow.formsMissing')} onTryAgain={forms.tryAgain}>
          {t('flow.formsMissingText')}
        </ErrorBox>
      );
    case 'unusable':
      return (
        <ErrorBox
          title={t('flow.formsUnusable')}
          onTryAgain={forms.tryAgain}
          actions={
            <Button
              primary
              onClick={() => {
                location.reload();
              }}
            >
              {t('errors.reload')}
            </Button>
          }
        >
          {t('flow.formsUnusableText')}
        </ErrorBox>
      );
  }
}

function Coming() {
  const t = useText();
  const isSlow = useIsSlow(true);
  return (
    <p className="soft" role="status">
      {isSlow && t('flow.formsLoading')}
    </p>
  );
}
