import type { ReactNode } from 'react';
import type { TaskForms } from '#protocol/task-forms.ts';
import { ErrorBox, useIsSlow } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';
import { createContext, useContext, useEffect, useState } from 'react';
import { paths } from '#protocol/paths.ts';
import { readTaskForms } from '#protocol/task-forms.ts';

interface Props {
  readonly children: (all: TaskForms) => ReactNode;
}

/** Draws with the task forms; until they are here says so, and what helps when they cannot be had. */
export function NeedsTaskForms({ children }: Props) {
  const forms = useTaskForms();
  return forms.is === 'here' ? children(forms.all) : <TaskFormsMissing forms={forms} />;
}

/** Says that the task forms are not here yet, and what helps when they cannot be had. */
export function TaskFormsMissing({ forms }: { readonly forms: Absent & Again }) {
  const t = useText();
  switch (forms.is) {
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

/** Runs the script of the task forms; `again` counts the attempts after the first. */
type LoadForms = (again: number) => Promise<unknown>;

const loadScript: LoadForms = (again) => {
  // A browser remembers that a module could not be had; at another address it asks once more.
  const address = again === 0 ? paths.taskForms : `${paths.taskForms}?again=${String(again)}`;
  return import(/* webpackIgnore: true */ address);
};

/** The server's script, or a test's. */
export const LoadFormsContext = createContext<LoadForms>(loadScript);

interface Here {
  readonly is: 'here';
  readonly all: TaskForms;
}

interface Absent {
  readonly is: 'coming' | 'missing' | 'unusable';
}

type Loaded = Absent | Here;

interface Again {
  readonly tryAgain: () => void;
}

type State = (Absent & Again) | (Here & Again);

/** The task forms, which the server gives with each release of its workflows. */
export function useTaskForms(): State {
  const load = useContext(LoadFormsContext);
  const [again, setAgain] = useState(0);
  const [loaded, setLoaded] = useState<Loaded>({ is: 'coming' });
  useEffect(() => {
    let isOver = false;
    const show = (next: Loaded) => {
      if (!isOver) setLoaded(next);
    };
    load(again).then(
      (script) => {
        const all = readTaskForms(script);
        show(all === null ? { is: 'unusable' } : { is: 'here', all });
      },
      () => {
        show({ is: 'missing' });
      },
    );
    return () => {
      isOver = true;
    };
  }, [load, again]);
  return {
    ...loaded,
    tryAgain: () => {
      setLoaded({ is: 'coming' });
      setAgain(again + 1);
    },
  };
}
