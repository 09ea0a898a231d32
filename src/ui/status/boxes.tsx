import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../form/controls.tsx';
import { Icon } from '../picture/icon.tsx';
import type { IconName } from '../picture/icon.tsx';
import { useUiEnvironment } from '../ui-environment.tsx';
import { useText } from '../text/text.ts';

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  /** The control that makes the first one. */
  readonly action?: ReactNode;
  /** Stands for the whole page, so that its title is the page's. */
  readonly isPage?: boolean;
  /** The level of its title, where it stands under one of another level. */
  readonly level?: 'h2' | 'h3';
}

/** Says that nothing is here, what would be, and how to begin. */
export function EmptyBox(props: EmptyProps) {
  const { icon, title, children, action, isPage = false, level = 'h2' } = props;
  const Title = isPage ? 'h1' : level;
  return (
    <div className="empty-box">
      <span className="empty-icon">
        <Icon name={icon} />
      </span>
      <Title>{title}</Title>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  );
}

interface ErrorProps {
  readonly title: string;
  /** Stands for the whole page, so that its title is the page's. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
  readonly details?: string;
  readonly onTryAgain?: () => void;
  readonly actions?: ReactNode;
}

/** Says what happened, what was kept and what to do next. */
export function ErrorBox(props: ErrorProps) {
  const { title, isPage = false, children, details, onTryAgain, actions } = props;
  const t = useText();
  const Title = isPage ? 'h1' : 'h2';
  return (
    <div className="ui negative message box" role="alert">
      <Icon name="error" />
      <div className="box-body">
        <Title>{title}</Title>
        {children !== undefined && <p>{children}</p>}
        {details !== undefined && (
          <details>
            <summary>{t('common.details')}</summary>
            <pre>{details}</pre>
          </details>
        )}
        <div className="box-actions">
          {onTryAgain !== undefined && <Button onClick={onTryAgain}>{t('common.tryAgain')}</Button>}
          {actions}
        </div>
      </div>
    </div>
  );
}

interface NoteProps {
  readonly tone: 'info' | 'warning' | 'error';
  readonly id?: string;
  readonly children: ReactNode;
}

const NOTE_LOOKS = { info: 'info', warning: 'warning', error: 'negative' } as const;
const NOTE_ICONS = { info: 'info', warning: 'warning', error: 'error' } as const;

/** A line that is to be noticed, in its tone's colour and icon. */
export function Note({ tone, id, children }: NoteProps) {
  return (
    <div className={`ui ${NOTE_LOOKS[tone]} message box`} id={id}>
      <Icon name={NOTE_ICONS[tone]} />
      <div className="box-body">{children}</div>
    </div>
  );
}

interface NotOnDeviceProps {
  readonly onTryAgain: () => void;
  readonly isPage?: boolean;
}

/** Offline and never loaded; goes on by itself when there is a connection. */
export function NotOnDevice({ onTryAgain, isPage = false }: NotOnDeviceProps) {
  const t = useText();
  return (
    <EmptyBox
      icon="cloudOff"
      title={t('sync.notOnDevice')}
      isPage={isPage}
      action={<Button onClick={onTryAgain}>{t('common.tryAgain')}</Button>}
    >
      {t('sync.notOnDeviceMore')}
    </EmptyBox>
  );
}

/** Stands beside a control that works only with a connection; tie it by `aria-describedby`. */
export function NeedsConnection({ id }: { readonly id: string }) {
  const t = useText();
  return (
    <span className="needs-connection" id={id}>
      <Icon name="cloudOff" />
      {t('sync.needsConnection')}
    </span>
  );
}

/** Says whether loading has lasted so long that something should show. */
export function useIsSlow(isLoading: boolean): boolean {
  const { later } = useUiEnvironment();
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isLoading) return undefined;
    const callOff = later(() => {
      setSlow(true);
    }, 200);
    return () => {
      callOff();
      setSlow(false);
    };
  }, [isLoading, later]);
  return isLoading && isSlow;
}

interface SkeletonProps {
  readonly rows: number;
  readonly className?: string;
}

/** The outline of what will come: nothing for 200 ms, then grey rows. */
export function Skeleton({ rows, className = '' }: SkeletonProps) {
  const t = useText();
  const isSlow = useIsSlow(true);
  // A test that waits until nothing loads any more has to find this before it shows.
  if (!isSlow) return <div className="skeleton" hidden />;
  return (
    <div className={`skeleton ${className}`} role="status" aria-label={t('common.loading')}>
      <span className="out-of-sight">{t('common.loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div className="skeleton-row" key={row}>
          <span className="skeleton-bar" />
          <span className="skeleton-bar skeleton-short" />
        </div>
      ))}
    </div>
  );
}
