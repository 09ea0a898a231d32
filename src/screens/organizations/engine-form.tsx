import { useId, useState } from 'react';
import type { ReactNode } from 'react';
import type { EngineCheck } from '#protocol/paths.ts';
import type { Of } from '#schema/index.ts';
import { checkBuildEngine } from '#data/actions/organizations.ts';
import { useChanges, useData } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { TextField } from '#ui/form/text-field.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { NeedsConnection, Note } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { useProblemText } from '../app/page/changes/problem-text.ts';
import { useOneAtATime } from '../app/page/use-one-at-a-time.ts';

/**
 * What a form is to do with an access token. What was typed of it is kept nowhere but in the form, and
 * gone with it.
 */
export type TokenChange =
  { readonly is: 'keep' | 'clear' } | { readonly is: 'set'; readonly typed: string };

export const KEEP_TOKEN: TokenChange = { is: 'keep' };

/** The token to send, '' to clear it; null: the stored one stays. */
export function tokenIn(token: TokenChange): string | null {
  if (token.is === 'clear') return '';
  const typed = token.is === 'set' ? token.typed.trim() : '';
  return typed === '' ? null : typed;
}

interface TokenProps {
  /** How the stored token ends; null: none is stored. */
  readonly hint: string | null;
  readonly token: TokenChange;
  readonly onChange: (token: TokenChange) => void;
}

/** Says whether an access token is stored, and takes another. It can never be read. */
export function AccessToken({ hint, token, onChange }: TokenProps) {
  const t = useText();
  const needs = useId();
  const isOnline = useChanges().status !== 'offline';
  const [isAsking, setAsking] = useState(false);
  const stored = hint === null ? t('org.engine.notSet') : t('org.engine.set', { hint });
  const close = () => {
    setAsking(false);
  };
  return (
    <div className="access-token">
      {token.is === 'set' ? (
        <TextField
          label={t('org.engine.token')}
          type="password"
          atMost={500}
          autoComplete="new-password"
          value={token.typed}
          help={hint === null ? t('org.engine.tokenHelp') : t('org.engine.replaces', { hint })}
          onChange={(typed) => {
            onChange({ is: 'set', typed });
          }}
        />
      ) : (
        <div className="field">
          <span className="field-name">{t('org.engine.token')}</span>
          <span role="status">{token.is === 'clear' ? t('org.engine.willBeCleared') : stored}</span>
          <div className="field-help">{t('org.engine.tokenHelp')}</div>
        </div>
      )}
      <div className="button-row">
        {token.is === 'keep' && (
          <Button
            disabled={!isOnline}
            aria-describedby={isOnline ? undefined : needs}
            onClick={() => {
              onChange({ is: 'set', typed: '' });
            }}
          >
            {t(hint === null ? 'org.engine.setToken' : 'org.engine.replace')}
          </Button>
        )}
        {token.is === 'keep' && hint !== null && (
          <Button
            negative
            disabled={!isOnline}
            aria-describedby={isOnline ? undefined : needs}
            onClick={() => {
              setAsking(true);
            }}
          >
            {t('org.engine.clear')}
          </Button>
        )}
        {token.is !== 'keep' && (
          <Button
            onClick={() => {
              onChange(KEEP_TOKEN);
            }}
          >
            {t('org.engine.keep')}
          </Button>
        )}
        {!isOnline && <NeedsConnection id={needs} />}
      </div>
      {isAsking && (
        <Dialog
          title={t('org.engine.clearTitle')}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>{t('common.cancel')}</Button>
              <Button
                negative
                onClick={() => {
                  onChange({ is: 'clear' });
                  close();
                }}
              >
                {t('org.engine.clear')}
              </Button>
            </>
          }
        >
          <p>{t('org.engine.clearText')}</p>
        </Dialog>
      )}
    </div>
  );
}

type Tried =
  | { readonly is: 'answered'; readonly check: EngineCheck }
  | { readonly is: 'failed'; readonly reason: string };

interface TestProps {
  readonly organization: Of<'organization'>;
  /** What the form has at the moment; blank counts as what is stored. */
  readonly url: string;
  readonly token: string | null;
}

/** Tries whether the engine answers that the form names at the moment; nothing is stored. */
export function TestConnection({ organization, url, token }: TestProps) {
  const t = useText();
  const data = useData();
  const needs = useId();
  const isOnline = useChanges().status !== 'offline';
  const reasonOf = useProblemText();
  const [isTrying, setTrying] = useState(false);
  const [tried, setTried] = useState<Tried | null>(null);
  const test = useOneAtATime(async () => {
    setTrying(true);
    setTried(null);
    const answer = await checkBuildEngine(data, organization.id, orNull(url), orNull(token));
    setTrying(false);
    if (answer.is === 'told') setTried({ is: 'answered', check: answer.value });
    else
      setTried({
        is: 'failed',
        reason: answer.is === 'refused' ? reasonOf(answer.problem) : t('login.failed.no-answer'),
      });
  });
  return (
    <div className="test-connection">
      <div className="button-row">
        <Button
          loading={isTrying}
          disabled={!isOnline || isTrying}
          aria-describedby={isOnline ? undefined : needs}
          onClick={() => void test()}
        >
          {t('org.engine.test')}
        </Button>
        {!isOnline && <NeedsConnection id={needs} />}
      </div>
      <div role="status">{tried !== null && <Outcome tried={tried} />}</div>
    </div>
  );
}

function Outcome({ tried }: { readonly tried: Tried }): ReactNode {
  const t = useText();
  if (tried.is === 'failed') return <Note tone="error">{tried.reason}</Note>;
  const { available, reason } = tried.check;
  if (available) return <Note tone="info">{t('org.engine.works')}</Note>;
  return <Note tone="warning">{t(`org.engine.fails.${reason ?? 'no-usable-answer'}`)}</Note>;
}

const orNull = (typed: string | null): string | null =>
  typed === null || typed.trim() === '' ? null : typed.trim();

/** Says whether the engine of an organization answered when it was asked last. */
export function EngineStatus({ isAvailable }: { readonly isAvailable: boolean | null }) {
  const t = useText();
  if (isAvailable === null) return t('org.engine.unknown');
  return t(isAvailable ? 'org.engine.connected' : 'org.engine.disconnected');
}
