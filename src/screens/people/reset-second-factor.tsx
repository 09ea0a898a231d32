import { useId, useState } from 'react';
import { Segment } from 'semantic-ui-react';
import { secondFactorFrom, secondFactorPath } from '#protocol/second-factor.ts';
import type { SecondFactorState } from '#protocol/second-factor.ts';
import type { Of } from '#schema/index.ts';
import { useData } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { useToast } from '#ui/overlay/toasts.tsx';
import { NeedsConnection } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { useDateFormats } from '#ui/value/values.tsx';
import { useOnlineQuery } from '../app/page/device/use-online-query.ts';
import { useAttempt } from '../app/page/use-attempt.ts';
import { useDisplayName } from '../app/page/use-display-name.ts';
import { useOneAtATime } from '../app/page/use-one-at-a-time.ts';
import { useOnlineCommand } from '../app/page/use-online-command.ts';
import './users.css';

interface ResetProps {
  readonly user: Of<'user'>;
}

/**
 * Whether somebody's second factor is on, and the way to switch it off for who lost it (screens 12.4);
 * nothing where another issuer signs in.
 */
export function ResetSecondFactor({ user }: ResetProps) {
  const t = useText();
  const needs = useId();
  const dates = useDateFormats();
  const path = secondFactorPath(user.id);
  const { known, isOffline, take } = useOnlineQuery(path, secondFactorFrom);
  const [isAsking, setAsking] = useState(false);
  if (known.is === 'refused') return null;
  const since = known.is === 'told' ? known.value.since : null;
  return (
    <Segment className="second-factor">
      <h2>{t('users.secondFactor.title')}</h2>
      <p role="status">
        {known.is === 'coming' && t('users.secondFactor.coming')}
        {(known.is === 'offline' || known.is === 'no-answer') && t('users.secondFactor.unknown')}
        {known.is === 'told' &&
          (since === null
            ? t('users.secondFactor.off')
            : t('users.secondFactor.on', { date: dates.day(since) }))}
      </p>
      {since !== null && (
        <Button
          negative
          disabled={isOffline}
          aria-describedby={isOffline ? needs : undefined}
          onClick={() => {
            setAsking(true);
          }}
        >
          {t('users.secondFactor.reset')}
        </Button>
      )}
      {isOffline && <NeedsConnection id={needs} />}
      {isAsking && (
        <AskReset
          user={user}
          isOffline={isOffline}
          onDone={take}
          onClose={() => {
            setAsking(false);
          }}
        />
      )}
    </Segment>
  );
}

interface AskProps extends ResetProps {
  readonly isOffline: boolean;
  readonly onDone: (state: SecondFactorState) => void;
  readonly onClose: () => void;
}

/** Asks before the second factor is switched off, and says what follows from it. */
function AskReset({ user, isOffline, onDone, onClose }: AskProps) {
  const t = useText();
  const needs = useId();
  const { online } = useData();
  const show = useToast();
  const attempt = useAttempt();
  const send = useOnlineCommand<unknown>();
  const [isBusy, setBusy] = useState(false);
  const name = useDisplayName()(user);
  const reset = useOneAtATime(async () => {
    setBusy(true);
    const path = `${secondFactorPath(user.id)}/reset`;
    const isDone = await attempt(t('users.secondFactor.failed'), async () => {
      const state = secondFactorFrom(await send(user.id, () => online.command(path)));
      if (state !== null) onDone(state);
    });
    setBusy(false);
    if (!isDone) return;
    show({ tone: 'success', title: t('users.secondFactor.done', { name }) });
    onClose();
  });
  return (
    <Dialog
      title={t('users.secondFactor.ask', { name })}
      isBusy={isBusy}
      onClose={onClose}
      actions={
        <>
          {isOffline && <NeedsConnection id={needs} />}
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            negative
            loading={isBusy}
            disabled={isOffline || isBusy}
            aria-describedby={isOffline ? needs : undefined}
            onClick={() => void reset()}
          >
            {t('users.secondFactor.confirm')}
          </Button>
        </>
      }
    >
      <p>{t('users.secondFactor.means')}</p>
      <p>{t('users.secondFactor.sure')}</p>
    </Dialog>
  );
}
