import type { Of } from '#schema/index.ts';
import { useList } from '#data/react/hooks.ts';
import { EmptyBox } from '#ui/status/boxes.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useText } from '#ui/text/text.ts';
import { RelativeTime } from '#ui/value/values.tsx';
import { ListPage } from '../../app/page/list-page.tsx';
import { EngineStatus } from '../../organizations/engine-form.tsx';
import { AdminSettings } from './settings.tsx';

/** `/admin/settings/build-engines`: the engines in use, and whether they answer. */
export function BuildEngines() {
  const t = useText();
  const list = useList('systemStatus', {}, { sort: 'buildEngineUrl' });
  const columns = [
    t('fields.build-engine-url'),
    t('org.engine.token'),
    t('admin.settings.buildEngines.status'),
    t('admin.settings.buildEngines.updated'),
  ];
  return (
    <AdminSettings>
      <ListPage
        title={t('admin.settings.buildEngines.title')}
        count={list.total}
        list={list}
        empty={
          <EmptyBox icon="plug" title={t('admin.settings.buildEngines.empty')}>
            {t('admin.settings.buildEngines.emptyText')}
          </EmptyBox>
        }
        table={{
          className: 'project-table settings-table',
          columns: columns.map((title) => ({ title, sort: null })),
          order: '',
          onOrder: () => undefined,
        }}
      >
        {list.rows.map((engine) => (
          <EngineRow key={engine.id} engine={engine} columns={columns} />
        ))}
      </ListPage>
    </AdminSettings>
  );
}

interface RowProps {
  readonly engine: Of<'systemStatus'>;
  readonly columns: readonly string[];
}

function EngineRow({ engine, columns }: RowProps) {
  const t = useText();
  const { buildEngineUrl, buildEngineApiAccessTokenHint: hint, dateUpdated } = engine;
  const contents = [
    buildEngineUrl ?? t('admin.settings.buildEngines.bundled'),
    hint === null ? t('org.engine.notSet') : t('org.engine.set', { hint }),
    <EngineStatus key="status" isAvailable={engine.systemAvailable} />,
    dateUpdated === null ? '--' : <RelativeTime key="updated" at={dateUpdated} />,
  ];
  return (
    <tbody role="rowgroup">
      <tr role="row">
        {columns.map((title, n) => (
          <Cell key={title} label={title}>
            {contents[n]}
          </Cell>
        ))}
        <td role="cell" className="tight" />
      </tr>
    </tbody>
  );
}
