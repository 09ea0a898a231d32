import { useState } from 'react';
import { readViewQuery, writeViewQuery } from '#rules/record/view-query.ts';
import { projectFiltersFor } from '#rules/record/project-query.ts';
import type { ViewQuery } from '#rules/record/view-query.ts';
import { mayChangeView, mayShareView } from '#rules/saved-view.ts';
import { displayNameOf } from '#rules/record/display.ts';
import type { Of } from '#schema/index.ts';
import { changeQuery, removeView, shareView } from '#data/actions/saved-views.ts';
import { useData, useFind, useOrganizations, useRecord, useViewer } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { MenuButton } from '#ui/overlay/menu-button.tsx';
import type { MenuEntry } from '#ui/overlay/menu-button.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { RecordBadge } from '../changes/record-badge.tsx';
import { useSaved } from '../changes/use-saved.ts';
import type { ListAddress } from '../list-state.ts';
import { useAttempt } from '../use-attempt.ts';
import { NewViewDialog, RenameViewDialog } from './view-dialogs.tsx';
import './views.css';

type View = Of<'savedView'>;

export interface ViewBarProps {
  /** The list that is saved. */
  readonly of: Pick<View, 'shows' | 'list'>;
  /** The order that the list has by itself. */
  readonly usualOrder: string;
  /** The view that is open; null: none is. */
  readonly view: View | null;
  /** What is shown of the list. */
  readonly shown: ViewQuery;
  readonly setFilters: ListAddress['setFilters'];
}

/** Saves a list as it is shown, and does what can be done with the view that is open. */
export function ViewBar({ of, usualOrder, view, shown, setFilters }: ViewBarProps) {
  const t = useText();
  const data = useData();
  const viewer = useViewer();
  const attempt = useAttempt();
  const saved = useSaved();
  const [isNaming, setNaming] = useState(false);
  const writeQuery = ({ filters, search, sort }: ViewQuery) =>
    writeViewQuery({ filters, search, sort: sort === usualOrder ? '' : sort });
  const query = writeQuery(shown);
  const isChanged = view === null || query !== writeQuery(queryOf(view, viewer.id));

  const saveChanges = async (changed: View) => {
    if (await attempt(t('errors.generic'), () => changeQuery(data, changed, query)))
      saved({ success: t('views.changed', { name: changed.name }) });
  };
  return (
    <div className="view-bar">
      {view !== null && <ViewMenu view={view} setFilters={setFilters} />}
      {view !== null && isChanged && mayChangeView(viewer, view) && (
        <Button onClick={() => void saveChanges(view)}>{t('views.saveChanges')}</Button>
      )}
      {isChanged && (
        <Button
          onClick={() => {
            setNaming(true);
          }}
        >
          {view === null ? t('views.save') : t('views.saveNew')}
        </Button>
      )}
      {isNaming && (
        <NewViewDialog
          of={of}
          query={query}
          onSaved={(id) => {
            setFilters({ view: id });
          }}
          onClose={() => {
            setNaming(false);
          }}
        />
      )}
    </div>
  );
}

/** What `view` keeps, as it is shown to `viewer`, whose own id is `me`. */
function queryOf({ query }: View, viewer: string): ViewQuery {
  const kept = readViewQuery(query);
  return { ...kept, filters: projectFiltersFor(viewer, (name) => kept.filters[name].join()) };
}

interface ViewMenuProps extends Pick<ViewBarProps, 'setFilters'> {
  readonly view: View;
}

/** What can be done with the view itself, for who may. */
function ViewMenu({ view, setFilters }: ViewMenuProps) {
  const t = useText();
  const data = useData();
  const viewer = useViewer();
  const attempt = useAttempt();
  const saved = useSaved();
  const organizations = useOrganizations();
  const { change } = useRecord('savedView', view.id);
  const [asking, ask] = useState<'name' | 'stop' | null>(null);
  const { id, name, isShared, owner } = view;
  const organization = organizations.find((one) => one.id === view.organization)?.name ?? '';

  const share = async (isOn: boolean) => {
    if (await attempt(t('errors.generic'), () => shareView(data, view, isOn)))
      saved({
        success: isOn ? t('views.nowShared', { organization }) : t('views.notShared', { name }),
      });
  };
  const remove = async () => {
    let back: () => Promise<void> = () => Promise.resolve();
    const isDone = await attempt(t('errors.generic'), async () => {
      back = await removeView(data, view);
    });
    if (!isDone) return;
    document.querySelector('main')?.focus({ preventScroll: true });
    setFilters({ view: '' });
    saved({
      success: t('views.removed', { name }),
      undo: () => void attempt(t('errors.generic'), back),
    });
  };

  const entries: MenuEntry[] = [
    {
      id: 'rename',
      label: t('views.rename'),
      icon: 'edit',
      run: () => {
        ask('name');
      },
    },
  ];
  if (
    !isShared &&
    view.organization !== null &&
    mayShareView(viewer, view, { ...view, isShared: true })
  )
    entries.push({
      id: 'share',
      label: t('views.share', { organization }),
      icon: 'people',
      run: () => void share(true),
    });
  // Without an owner it would be nobody's.
  if (isShared && owner !== null)
    entries.push({
      id: 'stop',
      label: t('views.stopSharing'),
      icon: 'lock',
      run: () => {
        if (owner === viewer.id) void share(false);
        else ask('stop');
      },
    });
  entries.push({
    id: 'remove',
    label: t('views.remove'),
    icon: 'bin',
    startsGroup: true,
    run: () => void remove(),
  });
  return (
    <>
      {mayChangeView(viewer, view) && (
        <MenuButton
          className="view-menu"
          align="left"
          label={t('views.menu', { name })}
          entries={entries}
        >
          {t('views.view')}
          <Icon name="down" />
        </MenuButton>
      )}
      <RecordBadge record={id} change={change} showsReason />
      {asking === 'name' && (
        <RenameViewDialog
          view={view}
          onClose={() => {
            ask(null);
          }}
        />
      )}
      {asking === 'stop' && (
        <StopSharing
          view={view}
          onClose={() => {
            ask(null);
          }}
          onConfirm={() => void share(false)}
        />
      )}
    </>
  );
}

interface StopSharingProps {
  readonly view: View;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before an admin loses sight of another person's view: they could not undo that. */
function StopSharing({ view, onClose, onConfirm }: StopSharingProps) {
  const t = useText();
  const find = useFind();
  const user = view.owner === null ? null : find.one('user', view.owner);
  const owner = (user === null ? null : displayNameOf(user)) ?? t('users.noName');
  return (
    <Dialog
      title={t('views.stopTitle', { name: view.name })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            negative
            onClick={() => {
              onClose();
              onConfirm();
            }}
          >
            {t('views.stopSharing')}
          </Button>
        </>
      }
    >
      <p>{t('views.stopText', { owner })}</p>
    </Dialog>
  );
}
