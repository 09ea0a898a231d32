import { Link } from 'react-router-dom';
import { countsOf, linesOf } from '#rules/record/import-report.ts';
import type { ProductLine, ProjectLine } from '#rules/record/import-report.ts';
import type { Of } from '#schema/index.ts';
import { useText, useTextOf } from '#ui/text/text.ts';

/** Shows what came of an import so far: in numbers, and line by line when it is opened. */
export function Report({ record }: { readonly record: Of<'projectImport'> }) {
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
        {lines.map((line) => (
          <Line key={line.name} line={line} />
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
          {products.map((product) => (
            <li key={product.name}>
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
