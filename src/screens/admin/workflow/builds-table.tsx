import { useState } from 'react';
import type { Of } from '#schema/index.ts';
import { useList } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { RelativeTime } from '#ui/value/values.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useText } from '#ui/text/text.ts';
import { Phase } from '../../flow/whats-on.tsx';
import { newestFirst } from '../../products/builds.ts';
import { ConsoleOrNone, logPageAt } from '../../flow/task.tsx';
import { Ended } from '../../products/ended.tsx';
import { FilesTable } from '../../products/files-table.tsx';

interface Props {
  readonly product: string;
  /** Id of what says that console texts need a connection; undefined while there is one. */
  readonly needsConnection: string | undefined;
}

const AT_FIRST = 20;

/** Every build of a product, the newest first, with what the engine says of it. */
export function BuildsTable({ product, needsConnection }: Props) {
  const t = useText();
  const [isAll, setAll] = useState(false);
  const { state, rows } = useList('productBuild', { product }, { beyond: true });
  const builds = newestFirst(rows);
  const shown = isAll ? builds : builds.slice(0, AT_FIRST);
  if (builds.length === 0)
    return state === 'loading' ? null : <p className="soft">{t('products.noBuilds')}</p>;
  return (
    <>
      <FilesTable
        label={t('workflow.builds')}
        columns={['files.build', 'files.status', 'files.date', 'files.console']}
      >
        {shown.map((build) => (
          <tr role="row" key={build.id}>
            <Cell label={t('files.build')}>{build.buildVersion ?? '--'}</Cell>
            <Cell label={t('files.status')}>
              <Status build={build} />
            </Cell>
            <Cell label={t('files.date')}>
              <RelativeTime at={build.dateCreated} />
            </Cell>
            <Cell label={t('files.console')}>
              <ConsoleOrNone
                address={build.logUrl}
                page={logPageAt(build.logUrl, product)}
                needsConnection={needsConnection}
              />
            </Cell>
          </tr>
        ))}
      </FilesTable>
      {shown.length < builds.length && (
        <Button
          onClick={() => {
            setAll(true);
          }}
        >
          {t('files.showOlder')}
        </Button>
      )}
    </>
  );
}

function Status({ build }: { readonly build: Of<'productBuild'> }) {
  const { success, phase, queuePosition } = build;
  return success === null ? <Phase phase={phase} ahead={queuePosition} /> : <Ended of={build} />;
}
