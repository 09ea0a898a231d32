import { useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import { useList, useRecord } from '#data/react/hooks.ts';
import { Skeleton } from '#ui/status/boxes.tsx';
import { RelativeTime } from '#ui/value/values.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useText, useTextOf } from '#ui/text/text.ts';
import { FilesTable } from '../../products/files-table.tsx';
import { NotHere } from '../../app/page/device/not-here.tsx';
import { useDisplayName } from '../../app/page/use-display-name.ts';
import { RecordBadge } from '../../app/page/changes/record-badge.tsx';
import { countsOf, linesOf } from '#rules/record/import-report.ts';
import type { ProductLine, ProjectLine } from '#rules/record/import-report.ts';

interface EarlierImportsProps {
  readonly organization: string;
  /** The number of imports that the person has begun here: each leads to the list. */
  readonly begun: number;
}

/** Lists earlier imports, and how far each is: as it goes on. */
export function EarlierImports({ organization, begun }: EarlierImportsProps) {
  const t = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (begun > 0) heading.current?.focus();
  }, [begun]);
  const { state, rows, serverError } = useList(
    'projectImport',
    { organization },
    { sort: '-dateCreated' },
  );
  return (
    <section className="import-earlier">
      <h2 ref={heading} tabIndex={-1}>
        {t('projectImport.earlier')}
      </h2>
      {state === 'loading' && <Skeleton rows={2} />}
      {state === 'not-here' && <NotHere serverError={serverError} />}
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
  const nameOf = useDisplayName();
  return (
    <tr role="row">
      <Cell label={t('projectImport.date')}>
        <RelativeTime at={record.dateCreated} />
      </Cell>
      <Cell label={t('projectImport.by')}>
        <bdi>{nameOf(owner)}</bdi>
      </Cell>
      <Cell label={t('projectImport.result')}>
        <Report record={record} />
        <RecordBadge record={record.id} change={change} showsReason />
      </Cell>
    </tr>
  );
}

/** Shows what came of an import so far: in numbers, and line by line when it is opened. */
function Report({ record }: { readonly record: Of<'projectImport'> }) {
  const t = useText();
  const lines = linesOf(record);
  const isFinished = record.dateFinished !== null;
  // One that is still on its way to the server has nothing to report.
  if (record.version === 0) return null;
  if (lines.length === 0)
    return isFinished ? t('projectImport.nothing') : t('projectImport.underWay');
  const { created, existing, failed } = countsOf(lines);
  return (
    <details>
      <summary>
        {t('projectImport.counts', { created, existing, failed })}
        {!isFinished && ` ${t('projectImport.goesOn')}`}
      </summary>
      <ul className="import-report">
        {lines.map((line, index) => (
          <Line key={index} line={line} />
        ))}
      </ul>
    </details>
  );
}

function Line({ line }: { readonly line: ProjectLine }) {
  const t = useText();
  const { name, project, products = [] } = line;
  return (
    <li>
      {project === null ? <bdi>{name}</bdi> : <Link to={`/projects/${project}`}>{name}</Link>}
      {': '}
      {t(`projectImport.outcomes.${line.outcome}`)} <Because of={line} />
      {products.length > 0 && (
        <ul>
          {products.map((product, index) => (
            <li key={index}>
              <bdi>{product.name}</bdi>
              {': '}
              {t(`projectImport.outcomes.${product.outcome}`)} <Because of={product} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Because({ of: { reason } }: { readonly of: Pick<ProductLine, 'reason'> }) {
  const textOf = useTextOf();
  return reason === undefined ? null : <>({textOf(`problems.${reason}`, reason)})</>;
}
