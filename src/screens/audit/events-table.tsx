import { Link } from 'react-router-dom';
import type { AuditEvent } from '#protocol/audit.ts';
import type { Viewer } from '#rules/viewer.ts';
import { useFind } from '#data/react/hooks.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { CardTable } from '#ui/table/card-table.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useText } from '#ui/text/text.ts';
import { Hint, useDateFormats } from '#ui/value/values.tsx';
import type { AuditAddress } from './audit-filters.ts';
import { placeOfSubject } from './place-of-subject.ts';
import { useAuditWords } from './use-audit-words.ts';
import type { AuditedDifference } from './use-audit-words.ts';

interface Props {
  readonly events: readonly AuditEvent[];
  readonly viewer: Viewer;
  /** Says whose each record is. */
  readonly showsOrganization: boolean;
  /** Looks for the events of one person, or of one record, alone. */
  readonly onOnly: AuditAddress['set'];
}

/** Events, one in each row: when, who, what to which record, and from where. */
export function EventsTable({ events, ...more }: Props) {
  const t = useText();
  return (
    <CardTable
      label={t('admin.audit.title')}
      className="audit-table"
      columns={[
        'admin.audit.time',
        'admin.audit.person',
        'admin.audit.what',
        'admin.audit.address',
      ]}
    >
      {events.map((event) => (
        <EventRow key={event.id} event={event} {...more} />
      ))}
    </CardTable>
  );
}

interface RowProps extends Omit<Props, 'events'> {
  readonly event: AuditEvent;
}

function EventRow(props: RowProps) {
  const { event, onOnly } = props;
  const t = useText();
  const dates = useDateFormats();
  const { sentenceOf, differencesOf } = useAuditWords();
  const { at, address } = event;
  return (
    <tr role="row">
      <Cell label={t('admin.audit.time')}>
        <Hint text={dates.full(at)}>
          <time dateTime={at}>{dates.short(at)}</time>
        </Hint>
      </Cell>
      <Cell label={t('admin.audit.person')}>
        <Actor event={event} onOnly={onOnly} />
      </Cell>
      <Cell label={t('admin.audit.what')}>
        <span className="audit-what">
          <strong>{sentenceOf(event)}</strong>
          <Subject {...props} />
          <Differences differences={differencesOf(event)} />
        </span>
      </Cell>
      <Cell label={t('admin.audit.address')}>{address ?? <span className="soft">--</span>}</Cell>
    </tr>
  );
}

type PartProps = Pick<RowProps, 'event' | 'onOnly'>;

function Actor({ event: { actorId, actorName }, onOnly }: PartProps) {
  const t = useText();
  // Whoever is not signed in yet, and the server itself, have no id.
  if (actorId === null) return <span className="soft">{t('admin.audit.nobody')}</span>;
  const name = actorName ?? t('users.noName');
  return (
    <span className="audit-one">
      <bdi>{name}</bdi>
      <OnlyButton
        label={t('admin.audit.onlyPerson', { name })}
        onClick={() => {
          onOnly({ person: actorId });
        }}
      />
    </span>
  );
}

/** The record that it was done to, with the way to it; and whose it is, for whoever sees many. */
function Subject({ event, viewer, showsOrganization, onOnly }: RowProps) {
  const t = useText();
  const find = useFind();
  const { typeOf } = useAuditWords();
  const { subjectType, subjectId, subjectName, organizationId } = event;
  if (subjectType === null || subjectId === null) return null;
  const name = subjectName ?? t('admin.audit.noName');
  const to = placeOfSubject(subjectType, subjectId, viewer);
  const organization =
    showsOrganization && organizationId !== null && organizationId !== subjectId
      ? find.one('organization', organizationId)
      : null;
  return (
    <span className="audit-one">
      <span className="soft">{typeOf(subjectType)}</span>
      {to === null ? (
        <bdi>{name}</bdi>
      ) : (
        <Link to={to}>
          <bdi>{name}</bdi>
        </Link>
      )}
      {typeof organization?.name === 'string' && (
        <span className="soft">
          (<bdi>{organization.name}</bdi>)
        </span>
      )}
      <OnlyButton
        label={t('admin.audit.onlyRecord', { name })}
        onClick={() => {
          onOnly({ record: subjectId, type: null });
        }}
      />
    </span>
  );
}

interface OnlyProps {
  readonly label: string;
  readonly onClick: () => void;
}

function OnlyButton({ label, onClick }: OnlyProps) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <Icon name="search" />
    </button>
  );
}

/** What was before and what is after, field by field. */
function Differences({ differences }: { readonly differences: readonly AuditedDifference[] }) {
  const t = useText();
  if (differences.length === 0) return null;
  return (
    <span className="audit-differences" role="list">
      {differences.map(({ field, before, after }) => (
        <span key={field} role="listitem">
          <span className="soft">{field}:</span> {before !== undefined && <bdi>{before}</bdi>}
          {before !== undefined && after !== undefined && (
            <>
              {' '}
              <Icon name="next" label={t('admin.audit.became')} />{' '}
            </>
          )}
          {after !== undefined && <bdi>{after}</bdi>}
        </span>
      ))}
    </span>
  );
}
