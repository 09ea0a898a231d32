import type { ReactNode } from 'react';
import { useChanges, useData, useList } from '#data/react/hooks.ts';
import { NeedsConnection } from '#ui/status/boxes.tsx';
import { PageHead } from '#ui/page/page-head.tsx';
import { badgeOf, RecordBadge, recordMarks } from './changes/record-badge.tsx';
import type { PageRecord } from './changes/record-badge.tsx';
import { usePageTitle } from './page-title.ts';

interface DetailPageProps {
  readonly record: PageRecord;
  /** The page's name in the tab, and on it unless there is a heading. */
  readonly title: string;
  readonly heading?: ReactNode;
  /** Stands above the head: the way from wider pages. */
  readonly trail?: ReactNode;
  /** Facts in one line below the title, before the badge. */
  readonly facts?: ReactNode;
  /** Says beside the badge why a change was refused. */
  readonly showsReason?: boolean;
  /** Stands below the line of facts. */
  readonly more?: ReactNode;
  /** The id of what says, while offline, that parts of the page need a connection. */
  readonly needsConnection?: string;
  readonly actions?: ReactNode;
  readonly className?: string;
  /** The name of the form that the page shows. */
  readonly 'data-form'?: string;
  readonly children: ReactNode;
}

/** A page about one record: its head with the state of the record's change, and what is below. */
export function DetailPage(props: DetailPageProps) {
  const { record, title, heading, trail, facts, more, needsConnection } = props;
  const { asOf } = useList('organization', {});
  const fetchedAt = useData().server.fetchedAt(record.type, record.id);
  const { status, serverError, sendNow } = useChanges();
  const isOffline = status === 'offline';
  usePageTitle(title);
  const badge = (
    <RecordBadge record={record.id} change={record.change} showsReason={props.showsReason} />
  );
  const says = [facts, more, needsConnection].some((part) => part !== undefined);
  const hasContext = says || badgeOf(record.change) !== null;
  const context = (
    <>
      {facts === undefined ? (
        badge
      ) : (
        <span className="project-name">
          {facts}
          {badge}
        </span>
      )}
      {more}
      {isOffline && needsConnection !== undefined && <NeedsConnection id={needsConnection} />}
    </>
  );
  const head = (
    <PageHead
      title={heading ?? <bdi>{title}</bdi>}
      {...(hasContext ? { context } : {})}
      asOf={isOffline ? (fetchedAt ?? asOf) : null}
      serverError={serverError}
      onTryAgain={sendNow}
      actions={props.actions}
    />
  );
  return (
    <div className={props.className} {...recordMarks(record)} data-form={props['data-form']}>
      {trail === undefined ? (
        head
      ) : (
        <div>
          {trail}
          {head}
        </div>
      )}
      {props.children}
    </div>
  );
}
