import { displayNameOf } from '#rules/record/display.ts';
import type { Of } from '#schema/index.ts';
import { useChanges, useList, useRecord } from '#data/react/hooks.ts';
import { NotOnDevice, Skeleton } from '#ui/status/boxes.tsx';
import { RelativeTime } from '#ui/value/values.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useText } from '#ui/text/text.ts';
import { FilesTable } from '../../products/files-table.tsx';
import { RecordBadge } from '../../app/page/changes/record-badge.tsx';
import { Report } from './report.tsx';

interface Props {
  readonly organization: string;
}

/** Lists earlier imports, and how far each is: as it goes on. */
export function EarlierImports({ organization }: Props) {
  const t = useText();
  const { sendNow } = useChanges();
  const { state, rows } = useList('projectImport', { organization }, { sort: '-dateCreated' });
  return (
    <section className="import-earlier">
      <h2>{t('projectImport.earlier')}</h2>
      {state === 'loading' && <Skeleton rows={2} />}
      {state === 'not-here' && <NotOnDevice onTryAgain={sendNow} />}
      {state === 'ready' && rows.length === 0 && (
        <p className="soft">{t('projectImport.noneEarlier')}</p>
      )}
      {rows.length > 0 && (
        <FilesTable
          label={t('projectImport.earlier')}
          columns={['projectImport.date', 'projectImport.by', 'projectImport.result']}
        >
          {rows.map((row) => (
            <Earlier key={row.id} record={row} />
          ))}
        </FilesTable>
      )}
    </section>
  );
}

function Earlier({ record }: { readonly record: Of<'projectImport'> }) {
  const t = useText();
  const { change } = useRecord('projectImport', record.id);
  const { record: owner } = useRecord('user', record.owner);
  const name = owner === null ? null : displayNameOf(owner);
  return (
    <tr role="row">
      <Cell label={t('projectImport.date')}>
        <RelativeTime at={record.dateCreated} />
      </Cell>
      <Cell label={t('projectImport.by')}>
        <bdi>{name ?? t('users.noName')}</bdi>
      </Cell>
      <Cell label={t('projectImport.result')}>
        <Report record={record} />
        <RecordBadge record={record.id} change={change} showsReason />
      </Cell>
    </tr>
  );
}
