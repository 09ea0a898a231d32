import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useChanges } from '#data/react/hooks.ts';
import type { ChangeRow, ChangesView } from '#data/model/views.ts';
import { Note } from '#ui/status/boxes.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { useDateFormats } from '#ui/value/values.tsx';
import { LatePart, loadWithTexts } from '../app/page/late/late-part.tsx';
import type { PanelActions } from './change-line.tsx';
import type { ChangesPanelTarget } from '../app/page/changes/changes-context.ts';
import { useServerErrorText } from '../app/page/late/server-error.tsx';
import { useGivingUp } from './giving-up.tsx';
import { Folded, Lines } from './lines.tsx';
import { LostHead, lostGroupsOf } from './lost-groups.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { Button } from '#ui/form/controls.tsx';
import { useOnline } from '../app/page/device/use-online.ts';
import './changes.css';

const loadDevelopersView = loadWithTexts(async () => {
  // The data that it shows comes with it.
  const [{ DevelopersView }] = await Promise.all([
    import('./developers-view.tsx'),
    import('#data/sync/diagnostics.ts'),
  ]);
  return DevelopersView;
});

const isQuiet = (state: ChangeRow['state']): boolean => state === 'waiting' || state === 'sending';

interface ChangesPanelProps {
  readonly at?: ChangesPanelTarget | null;
  readonly onClose: () => void;
}

/** Every change that is not done, and the last that are: what, where it stands, why, what to do. */
export function ChangesPanel({ at = null, onClose }: ChangesPanelProps) {
  const t = useText();
  const [isForDevelopers, setForDevelopers] = useState(false);
  const givingUp = useGivingUp();
  return (
    <Dialog
      title={isForDevelopers ? t('changes.details') : t('changes.title')}
      size="right"
      onClose={onClose}
      actions={
        isForDevelopers ? undefined : (
          <PanelFoot
            onDiscard={(rows) => void givingUp.discardAll(rows)}
            onDetails={() => {
              setForDevelopers(true);
            }}
          />
        )
      }
    >
      {isForDevelopers ? (
        <>
          <button
            type="button"
            className="link-button"
            onClick={() => {
              setForDevelopers(false);
            }}
          >
            <Icon name="back" /> {t('changes.back')}
          </button>
          <LatePart load={loadDevelopersView} props={{}} />
        </>
      ) : (
        <Groups at={at} onClose={onClose} givingUp={givingUp} />
      )}
      {givingUp.question}
    </Dialog>
  );
}

/** Says which of the two is missing, the network or the server, and what the server said last. */
function WhyNotSent({ serverError }: Pick<ChangesView, 'serverError'>) {
  const t = useText();
  const serverErrorText = useServerErrorText();
  if (!useOnline()) return <Note tone="info">{t('changes.offline')}</Note>;
  const what = serverError === undefined ? t('changes.noServer') : serverErrorText(serverError);
  return (
    <Note tone="warning">
      {what} {t('changes.sendsLater')}
    </Note>
  );
}

interface GroupsProps {
  readonly at: ChangesPanelTarget | null;
  readonly onClose: () => void;
  readonly givingUp: ReturnType<typeof useGivingUp>;
}

function Groups({ at, onClose, givingUp }: GroupsProps) {
  const t = useText();
  const { status, serverError, rows } = useChanges();
  const [wanted, want] = useState<ChangesPanelTarget | null>(at);
  const element = useRef<HTMLDivElement>(null);
  const { lost, others } = lostGroupsOf(rows);
  const isOfToday = useIsOfToday();
  const done = others.filter(({ state }) => state === 'done');
  const groups = {
    needYou: others.filter(({ state }) => !isQuiet(state) && state !== 'done'),
    waiting: others.filter(({ state }) => isQuiet(state)),
    today: done.filter(isOfToday),
    earlier: done.filter((row) => !isOfToday(row)),
  };
  const target = rows.find((row) => isAt(row, wanted))?.id ?? null;
  const actions: PanelActions = {
    giveUp: givingUp.giveUp,
    goTo: (change) => {
      want({ change });
    },
    close: onClose,
    find: (id) => rows.find((row) => row.id === id) ?? null,
  };
  useEffect(() => {
    const lines = [...(element.current?.querySelectorAll<HTMLElement>('.change-line') ?? [])];
    const line = lines.find(({ dataset }) => dataset.id === target) ?? lines[0];
    line?.focus({ preventScroll: target === null });
    if (target !== null) line?.scrollIntoView({ block: 'start' });
    // This runs once, and when another line is wanted; not whenever a line comes or goes.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted]);

  const inNeed = groups.needYou.length + lost.reduce((sum, group) => sum + group.rows.length, 0);
  return (
    <>
      {status === 'sign-in' && <SignInAgain />}
      {status === 'offline' && <WhyNotSent serverError={serverError} />}
      {status === 'problem' && <Note tone="warning">{t('sync.problemLine')}</Note>}
      {rows.length === 0 && <p className="soft all-saved">{t('changes.empty')}</p>}
      <div ref={element} onKeyDown={moveBetweenLines}>
        {inNeed > 0 && (
          <section className="change-group">
            <h3>{t('changes.group.needYou', { number: inNeed })}</h3>
            {lost.map((group) => (
              <div className="lost-group" key={group.key}>
                <LostHead group={group} onDiscard={(all) => void givingUp.discardAll(all)} />
                <Lines name="needYou" rows={group.rows} actions={actions} target={target} />
              </div>
            ))}
            <Lines name="needYou" rows={groups.needYou} actions={actions} target={target} />
          </section>
        )}
        {groups.waiting.length > 0 && (
          <section className="change-group">
            <Folded
              level="h3"
              title={t('changes.group.waiting', { number: groups.waiting.length })}
            >
              <Lines name="waiting" rows={groups.waiting} actions={actions} target={target} />
            </Folded>
          </section>
        )}
        {done.length > 0 && (
          <section className="change-group">
            <h3>{t('changes.group.done', { number: done.length })}</h3>
            {(['today', 'earlier'] as const).map(
              (name) =>
                groups[name].length > 0 && (
                  <Folded
                    key={name}
                    level="h4"
                    title={t(`changes.group.${name}`, { number: groups[name].length })}
                    isOpenFirst={
                      name === 'today' ||
                      groups.earlier.length === rows.length ||
                      groups.earlier.some(({ id }) => id === target)
                    }
                  >
                    <Lines name={name} rows={groups[name]} actions={actions} target={target} />
                  </Folded>
                ),
            )}
          </section>
        )}
      </div>
    </>
  );
}

/** Says whether a change was made on the present day, in the zone of the person who reads. */
function useIsOfToday(): (row: ChangeRow) => boolean {
  const { clock } = useUiEnvironment();
  const { day } = useDateFormats();
  const today = day(new Date(clock()).toISOString());
  return ({ madeAt }) => day(madeAt) === today;
}

/** For a record it is the change that is not done. */
function isAt({ id, touched, state }: ChangeRow, place: ChangesPanelTarget | null): boolean {
  if (place?.change !== undefined) return id === place.change;
  return state !== 'done' && touched.some((one) => one.id === place?.record);
}

function moveBetweenLines(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  // There they move between the lines of a text.
  if (event.target instanceof HTMLElement && event.target.matches('textarea, input')) return;
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('.change-line')];
  const at = lines.findIndex((line) => line.contains(document.activeElement));
  const next = lines[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

interface PanelFootProps {
  readonly onDiscard: (rows: readonly ChangeRow[]) => void;
  readonly onDetails: () => void;
}

/** Offers what can be done with all changes together. */
function PanelFoot({ onDiscard, onDetails }: PanelFootProps) {
  const t = useText();
  const isOnline = useOnline();
  const { status, waiting, rows, sendNow } = useChanges();
  const [isAsking, setAsking] = useState(false);
  const open = rows.filter(({ canDiscard }) => canDiscard);
  const close = () => {
    setAsking(false);
  };
  return (
    <>
      <button type="button" className="link-button panel-details" onClick={onDetails}>
        {t('changes.details')}
      </button>
      {open.length > 0 && (
        <Button
          negative
          onClick={() => {
            setAsking(true);
          }}
        >
          {t('changes.discardAll')}
        </Button>
      )}
      {waiting > 0 && isOnline && status !== 'sign-in' && (
        <Button
          primary
          onClick={() => {
            sendNow();
          }}
        >
          {t('changes.sendNow')}
        </Button>
      )}
      {isAsking && (
        <Dialog
          title={t('changes.discardAllTitle', { count: open.length })}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>{t('common.cancel')}</Button>
              <Button
                negative
                onClick={() => {
                  close();
                  onDiscard(open);
                }}
              >
                {t('changes.discardAll')}
              </Button>
            </>
          }
        >
          <p>{t('changes.discardAllText')}</p>
        </Dialog>
      )}
    </>
  );
}
