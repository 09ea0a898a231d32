import { useContext, useId } from 'react';
import { auditLogFrom } from '#protocol/audit.ts';
import type { AuditLog as Log } from '#protocol/audit.ts';
import { limits } from '#protocol/limits.ts';
import { useViewer } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { EmptyBox, NeedsConnection, Note } from '#ui/status/boxes.tsx';
import { Pager } from '#ui/table/table.tsx';
import { useText } from '#ui/text/text.ts';
import { TimeZoneContext } from '#ui/value/values.tsx';
import { useOnlineQuery } from '../app/page/device/use-online-query.ts';
import type { OnlineQuery } from '../app/page/device/use-online-query.ts';
import { WithoutAnswer } from '../app/page/device/without-answer.tsx';
import { auditAddressOf, useAuditAddress } from './audit-filters.ts';
import type { AuditAddress } from './audit-filters.ts';
import { EventsTable } from './events-table.tsx';
import { FiltersForm } from './filters-form.tsx';
import { useSaveAudit } from './use-save-audit.ts';
import './audit.css';

interface Props {
  /** The organization whose events are shown; null: all. */
  readonly organization: string | null;
}

/**
 * What was done that matters for safety, the newest first. The server is asked for it, and nothing
 * of it is stored.
 */
export function AuditLog({ organization }: Props) {
  const t = useText();
  const timeZone = useContext(TimeZoneContext);
  const address = useAuditAddress();
  const { filters, page } = address;
  const asked = { filters, organization, timeZone };
  const log = useOnlineQuery(
    auditAddressOf({ ...asked, page, pageSize: limits.pageSize }),
    auditLogFrom,
  );
  const { save, isSaving } = useSaveAudit(asked);
  const offline = useId();
  const { known, isOffline } = log;
  if (known.is === 'offline') return <NoLog log={log} />;
  const events = known.is === 'told' ? known.value.events : [];
  return (
    <div className="audit-log">
      <FiltersForm address={address} events={events} isDisabled={isOffline} />
      <div className="audit-above">
        <p role="status" className="soft">
          {known.is === 'told' && t('admin.audit.found', { count: known.value.total })}
        </p>
        {isOffline && <NeedsConnection id={offline} />}
        <Button
          disabled={isOffline || isSaving || events.length === 0}
          loading={isSaving}
          aria-describedby={isOffline ? offline : undefined}
          onClick={() => void save()}
        >
          {t('admin.audit.csv')}
        </Button>
      </div>
      {known.is === 'told' && known.value.isMore && (
        <Note tone="info">{t('admin.audit.isMore', { number: limits.auditEventsCounted })}</Note>
      )}
      <Events log={log} address={address} showsOrganization={organization === null} />
    </div>
  );
}

interface EventsProps {
  readonly log: OnlineQuery<Log>;
  readonly address: AuditAddress;
  readonly showsOrganization: boolean;
}

/** The events, or what stands in their place. */
function Events({ log, address, showsOrganization }: EventsProps) {
  const viewer = useViewer();
  const { known } = log;
  if (known.is !== 'told') return <NoLog log={log} />;
  const { events, total } = known.value;
  return (
    <div aria-busy={known.isOld}>
      {events.length === 0 ? (
        <NoEvents address={address} />
      ) : (
        <EventsTable {...{ events, viewer, showsOrganization }} onOnly={address.set} />
      )}
      <Pager
        page={address.page}
        pageSize={limits.pageSize}
        total={total}
        onPage={address.setPage}
      />
    </div>
  );
}

function NoLog({ log }: Pick<EventsProps, 'log'>) {
  const t = useText();
  return (
    <WithoutAnswer
      query={log}
      rows={8}
      offline={t('admin.audit.offline')}
      noAnswer={t('admin.audit.noAnswer')}
      noAnswerText={t('admin.audit.noAnswerText')}
    />
  );
}

function NoEvents({ address }: { readonly address: AuditAddress }) {
  const t = useText();
  const isFiltered = Object.values(address.filters).some((value) => value !== null);
  if (!isFiltered && address.page === 1)
    return (
      <EmptyBox icon="clock" title={t('admin.audit.empty')}>
        {t('admin.audit.emptyText')}
      </EmptyBox>
    );
  return (
    <EmptyBox
      icon="search"
      title={t('common.noResults')}
      action={<Button onClick={address.clear}>{t('admin.audit.clear')}</Button>}
    />
  );
}
