import { useState } from 'react';
import type { ReactNode } from 'react';
import { fold } from '#base/unicode.ts';
import { ProblemError } from '#protocol/problem.ts';
import { mayCreateView } from '#rules/saved-view.ts';
import { VIEWS_MOST } from '#rules/valid/saved-view.ts';
import { savedView } from '#schema/saved-view.ts';
import type { Of } from '#schema/index.ts';
import { useOrganization } from '#session/organization.ts';
import { createView, renameView } from '#data/actions/saved-views.ts';
import { useData, useOrganizations, useViewer } from '#data/react/hooks.ts';
import { TextField } from '#ui/form/text-field.tsx';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { useText } from '#ui/text/text.ts';
import { useSaved } from '../changes/use-saved.ts';
import { useTroubleOf } from '../use-attempt.ts';
import { useOneAtATime } from '../use-one-at-a-time.ts';
import { useViewsHere } from './use-views.ts';
import './views.css';

interface NewViewProps {
  /** The list that is saved. */
  readonly of: Pick<Of<'savedView'>, 'shows' | 'list'>;
  /** What the view keeps of the list, in its normal form. */
  readonly query: string;
  readonly onSaved: (id: string) => void;
  readonly onClose: () => void;
}

/** Asks for the name of a new view, and whether the organization in view has it too. */
export function NewViewDialog({ of: list, query, onSaved, onClose }: NewViewProps) {
  const t = useText();
  const data = useData();
  const saved = useSaved();
  const viewer = useViewer();
  const organization = useOrganization();
  const of = useOrganizations().find(({ id }) => id === organization);
  const [isShared, setShared] = useState(false);
  const mayShare = of !== undefined && mayCreateView(viewer, { organization });
  return (
    <ViewDialog
      title={t('views.save')}
      name=""
      self={null}
      help={t(list.shows === 'tasks' ? 'views.whatTasks' : 'views.what')}
      organization={of?.name ?? ''}
      onClose={onClose}
      onSave={async (name) => {
        onSaved(await createView(data, { name, ...list, query, isShared, organization }));
        saved({ success: t('views.saved', { name: name.trim() }) });
      }}
    >
      {mayShare && (
        <label className="view-share">
          <input
            type="checkbox"
            checked={isShared}
            onChange={({ target }) => {
              setShared(target.checked);
            }}
          />
          {t('views.share', { organization: of.name ?? '' })}
        </label>
      )}
    </ViewDialog>
  );
}

interface RenameProps {
  readonly view: Of<'savedView'>;
  readonly onClose: () => void;
}

export function RenameViewDialog({ view, onClose }: RenameProps) {
  const t = useText();
  const data = useData();
  const saved = useSaved();
  return (
    <ViewDialog
      title={t('views.rename')}
      name={view.name}
      self={view.id}
      organization=""
      onClose={onClose}
      onSave={async (name) => {
        await renameView(data, view, name);
        saved({ success: t('views.renamed', { name: name.trim() }) });
      }}
    />
  );
}

interface ViewDialogProps {
  readonly title: string;
  /** Stands in the field at first. */
  readonly name: string;
  /** The id of the view that is renamed; null: it is a new one. */
  readonly self: string | null;
  /** What a view keeps. */
  readonly help?: string;
  /** The name of the organization that would have it. */
  readonly organization: string;
  readonly onSave: (name: string) => Promise<void>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

function ViewDialog(props: ViewDialogProps) {
  const { title, self, help, organization, onSave, onClose, children } = props;
  const t = useText();
  const troubleOf = useTroubleOf();
  const [name, setName] = useState(props.name);
  const [trouble, setTrouble] = useState<string | null>(null);
  const { own, shared } = useViewsHere();
  const isTaken = [...own, ...shared].some(
    (view) => view.id !== self && fold(view.name) === fold(name.trim()),
  );

  const reasonOf = (error: unknown): string => {
    if (error instanceof ProblemError && error.problem.meta?.rule === 'range') {
      const isOfAll = error.problem.source?.pointer?.endsWith('/is-shared') === true;
      const number = VIEWS_MOST;
      return isOfAll
        ? t('views.tooManyShared', { organization, number })
        : t('views.tooMany', { number });
    }
    return troubleOf(error).reason;
  };
  const save = useOneAtATime(async () => {
    setTrouble(null);
    try {
      await onSave(name);
    } catch (error) {
      setTrouble(reasonOf(error));
      return;
    }
    onClose();
  });
  return (
    <FormDialog
      title={title}
      action={t('common.save')}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <TextField
        label={t('fields.name')}
        value={name}
        isRequired
        atMost={savedView.fields.name.limit ?? 60}
        error={trouble}
        note={isTaken ? t('views.sameName') : null}
        {...(help === undefined ? {} : { help })}
        onChange={setName}
      />
      {children}
    </FormDialog>
  );
}
