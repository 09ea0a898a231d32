import { useId } from 'react';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { secondFactorFrom, secondFactorPath } from '#protocol/second-factor.ts';
import { knownConfig } from '#session/public-config.ts';
import { keepReturnTo } from '#session/return-to.ts';
import { useSession } from '#session/sign-in.tsx';
import { useChanges, useViewer } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { useToast } from '#ui/overlay/toasts.tsx';
import { PageHead } from '#ui/page/page-head.tsx';
import { NeedsConnection, Note } from '#ui/status/boxes.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { useDateFormats } from '#ui/value/values.tsx';
import { useOnlineQuery } from '../app/page/device/use-online-query.ts';
import { usePageTitle } from '../app/page/page-title.ts';
import { SignInButton } from '../app/page/sign-in-button.tsx';
import { OwnData } from './own-data.tsx';
import './users.css';

/**
 * `/account`: what belongs to the sign-in itself (screens 12.6). The pages that change it are the
 * bundled issuer's; another one has pages of its own.
 */
export function Account() {
  const t = useText();
  const needs = useId();
  const isOnline = useChanges().status !== 'offline';
  const { id } = useViewer();
  const issuer = issuerElsewhere();
  const issuerAddress = useIssuerAddress();
  usePageTitle(t('account.title'));
  const described = isOnline ? undefined : needs;
  return (
    <div className="account-page">
      <PageHead
        title={t('account.title')}
        {...(isOnline ? {} : { context: <NeedsConnection id={needs} /> })}
      />
      <SignInAgain />
      {issuer === null ? (
        <OwnParts described={described} />
      ) : (
        <section className="account-part">
          <p>{t('account.elsewhere', { host: issuer.host })}</p>
          <LinkButton
            to={issuer.origin}
            label={t('account.openElsewhere', { host: issuer.host })}
            described={described}
          />
        </section>
      )}
      <AccountPart part="memberships" means={t('account.membershipsMean')}>
        <Link
          className="ui button"
          to={`/users/${id}/settings/groups`}
          aria-label={`${t('account.view')}: ${t('account.memberships')}`}
        >
          {t('account.view')}
        </Link>
      </AccountPart>
      <AccountPart part="mails" means={t('account.mailsMean')}>
        <Link
          className="ui button"
          to={`/users/${id}/edit`}
          aria-label={`${t('account.change')}: ${t('account.mails')}`}
        >
          {t('account.change')}
        </Link>
      </AccountPart>
      <OwnData described={described} />
      {issuer === null && (
        <AccountPart part="deletion" means={t('account.deletionMeans')}>
          <LinkButton
            to={issuerAddress('delete-account')}
            label={t('account.delete')}
            about={t('account.deletion')}
            described={described}
          />
        </AccountPart>
      )}
    </div>
  );
}

/** Returns the address of a page of the bundled issuer, which then speaks the language of the app. */
function useIssuerAddress(): (name: string) => string {
  const language = useLanguage();
  return (name) => `/oidc/${name}?ui_locales=${language}`;
}

interface Offline {
  /** The id of what says that a connection is needed; undefined while there is one. */
  readonly described: string | undefined;
}

function OwnParts({ described }: Offline) {
  const t = useText();
  const { claims } = useSession();
  const issuerAddress = useIssuerAddress();
  const secondFactor = useSecondFactorText();
  const parts = [
    { part: 'address', page: 'address', means: claims?.email ?? '', action: 'change' },
    { part: 'password', page: 'password', means: t('account.passwordMeans'), action: 'change' },
    { part: 'secondFactor', page: 'second-factor', means: secondFactor, action: 'change' },
    { part: 'devices', page: 'devices', means: t('account.devicesMeans'), action: 'view' },
  ] as const;
  return parts.map(({ part, page, means, action }) => (
    <AccountPart key={part} part={part} means={means}>
      <LinkButton
        to={issuerAddress(page)}
        label={t(`account.${action}`)}
        about={t(`account.${part}`)}
        described={described}
      />
    </AccountPart>
  ));
}

/** Says whether one's second factor is on; while nobody knows, what it is. */
function useSecondFactorText(): string {
  const t = useText();
  const dates = useDateFormats();
  const { known } = useOnlineQuery(secondFactorPath(useViewer().id), secondFactorFrom);
  if (known.is !== 'told') return t('account.secondFactorMeans');
  const { since, recoveryCodes: left, passkeys: count } = known.value;
  if (since === null) return t('account.secondFactorOff');
  const date = dates.day(since);
  if (count === 0) return t('account.secondFactorOn', { date, left });
  return t('account.secondFactorPasskeys', { date, left, count });
}

interface AccountPartProps {
  readonly part:
    'address' | 'password' | 'secondFactor' | 'devices' | 'memberships' | 'mails' | 'deletion';
  readonly means: string;
  /** What leads to where it is changed. */
  readonly children: ReactNode;
}

function AccountPart({ part, means, children }: AccountPartProps) {
  const t = useText();
  return (
    <section className="account-part" aria-labelledby={`account-${part}`}>
      <div>
        <h2 id={`account-${part}`}>{t(`account.${part}`)}</h2>
        <p className="soft" dir="auto">
          {means}
        </p>
      </div>
      {children}
    </section>
  );
}

interface LinkButtonProps extends Offline {
  readonly to: string;
  readonly label: string;
  readonly about?: string;
}

/** Leaves the app for a page of the issuer, where there is a connection. */
function LinkButton({ to, label, about, described }: LinkButtonProps) {
  const name = about === undefined ? undefined : `${label}: ${about}`;
  if (described !== undefined)
    return (
      <Button disabled aria-label={name} aria-describedby={described}>
        {label}
      </Button>
    );
  return (
    <a className="ui button" href={to} aria-label={name}>
      {label}
    </a>
  );
}

/** Says, to whom a page of the issuer led back, that it does not know this browser any more. */
function SignInAgain() {
  const t = useText();
  const show = useToast();
  const [query] = useSearchParams();
  if (query.get('sign-in') !== 'again') return null;
  return (
    <Note tone="warning">
      <p>{t('account.signInAgain')}</p>
      <SignInButton
        label={t('login.signIn')}
        onLeave={() => {
          keepReturnTo('/account');
        }}
        onFailure={() => {
          show({ tone: 'error', title: t('login.failed.no-answer') });
        }}
      />
    </Note>
  );
}

/** The address of the issuer; null where that is the server itself. */
function issuerElsewhere(): URL | null {
  const issuer = knownConfig()?.auth.issuer;
  const address = issuer === undefined ? null : new URL(issuer);
  return address === null || address.origin === location.origin ? null : address;
}
