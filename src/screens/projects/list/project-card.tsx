import { memo, useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import { useRecord, useList } from '#data/react/hooks.ts';
import { badgeOf, RecordBadge, recordMark } from '../../app/page/changes/record-badge.tsx';
import { ProductStatusChip } from '../../app/page/status/product-status.tsx';
import { CheckBox } from '#ui/form/controls.tsx';
import { Icon, ProductIcon } from '#ui/picture/icon.tsx';
import { LanguageName, Marked, RelativeTime } from '#ui/value/values.tsx';
import { Cell, useNear } from '#ui/table/table.tsx';
import { useText } from '#ui/text/text.ts';
import { useRowKeys } from '../../app/page/list-state.ts';
import type { RowSelection } from '../../app/page/list-state.ts';
import { columns as known, productColumns, projectColumns } from '../lists.ts';
import type { ColumnName } from '../lists.ts';
import { RowMenu } from './menus.tsx';

interface ProjectCardProps {
  readonly project: Of<'project'>;
  readonly columns: readonly ColumnName[];
  /** The order of its products. */
  readonly productOrder: string;
  readonly search: string;
  readonly isDimmed: boolean;
  readonly isSelected: boolean;
  /** Null: the projects are for reading alone, and their pages those of the directory. */
  readonly onSelect: RowSelection['set'] | null;
  readonly onArchiving: (projects: readonly Of<'project'>[]) => void;
}

/** About as tall as a row whose products stand on one line, before it was ever drawn. */
const ROW_PX = 45;

interface CardProps extends ProjectCardProps {
  /** It is far down: only while it is near what is in view. */
  readonly isFar: boolean;
  /** Others come first: until they show, what stood there stays, or there is room for it. */
  readonly isLate: boolean;
}

/**
 * A project of a list, with its products. It is drawn anew only for its own props: the list has many,
 * and reasons of its own.
 */
export const ProjectCard = memo(function ProjectCard({ isFar, isLate, ...card }: CardProps) {
  const { element, isNear, drawnPx } = useNear<HTMLTableSectionElement>(isFar);
  const { id } = card.project;
  const [drawn, setDrawn] = useState(isLate ? null : id);
  if (!isLate && drawn !== id) setDrawn(id);
  // The project that was drawn there before stays until this one is.
  const isStale = isLate && drawn !== id;
  return (
    <tbody role="rowgroup" ref={element}>
      {isNear || (drawn !== null && !isFar) ? (
        <Row {...card} isStale={isStale} />
      ) : (
        <tr style={{ height: drawnPx ?? ROW_PX }} />
      )}
    </tbody>
  );
});

interface RowProps extends ProjectCardProps {
  /** It stays as it was drawn before, for another project. */
  readonly isStale: boolean;
}

const Row = memo(ProjectRow, (_, { isStale }) => isStale);

function ProjectRow(props: RowProps) {
  const { project, columns, search, isDimmed, isSelected, onSelect, onArchiving } = props;
  const t = useText();
  const { change } = useRecord('project', project.id);
  const badge = badgeOf(change);
  // A creation that was refused is not in the list for anyone else.
  const isUnborn = project.version === 0 && badge === 'refused';
  const dimmed = isDimmed || isUnborn ? 'is-dimmed' : '';
  const ofProducts = productColumns(columns);

  return (
    <tr
      role="row"
      className={`project-row ${dimmed}`}
      data-record={recordMark('project', project.id)}
      data-change={badge ?? undefined}
      data-selected={isSelected}
    >
      {onSelect !== null && (
        <td role="cell" className="tight">
          <CheckBox
            label={t('projectTable.select', { name: project.name })}
            state={isSelected ? 'all' : 'none'}
            onChange={(isChosen, isRange) => {
              onSelect(project.id, isChosen, isRange);
            }}
          />
        </td>
      )}
      <Cell label={t('projectTable.columns.project')} className="name-cell">
        <span className="project-name">
          <Link to={`${onSelect === null ? '/directory' : '/projects'}/${project.id}`}>
            <Marked text={project.name} search={search} />
          </Link>
          {!project.isPublic && (
            <span className="private-mark">
              <Icon name="lock" />
              {t('project.private')}
            </span>
          )}
          <RecordBadge record={project.id} change={change} />
          {isDimmed && (
            <span className="private-mark">
              <Icon name="archive" />
              {project.dateArchived === null
                ? t('projectTable.activeAgain')
                : t('project.archived')}
            </span>
          )}
        </span>
      </Cell>
      {projectColumns(columns).map((column) => (
        <Cell key={column} label={t(known[column].title)} className={`${column}-cell`}>
          {valueOf(project, column, search)}
        </Cell>
      ))}
      {ofProducts.length > 0 && (
        <Cell label={t('projectTable.products')} className="products-cell">
          <Products
            project={project.id}
            columns={ofProducts}
            order={props.productOrder}
            search={search}
            areLinks={onSelect !== null}
          />
        </Cell>
      )}
      <td role="cell" className="end">
        {onSelect !== null && <RowMenu project={project} onArchiving={onArchiving} />}
      </td>
    </tr>
  );
}

function valueOf(project: Of<'project'>, column: ColumnName, search: string): ReactNode {
  switch (column) {
    case 'owner':
      return <NameOf type="user" id={project.owner} search={search} />;
    case 'organization':
    case 'group':
      return <NameOf type={column} id={project[column]} search={search} />;
    case 'language':
      return <LanguageName tag={project.language} search={search} />;
    case 'dateCreated':
    case 'dateUpdated':
      return <RelativeTime at={project[column]} empty="-" />;
    case 'dateActive':
      return <RelativeTime at={project[column]} empty="-" isSpan />;
    case 'buildVersion':
    case 'buildDate':
    case 'productUpdated':
      return null;
  }
}

interface NameProps {
  readonly type: 'user' | 'organization' | 'group';
  readonly id: string | null;
  readonly search: string;
}

/** Shows the present name of another record. */
function NameOf({ type, id, search }: NameProps) {
  const name = useRecord(type, id).record?.name ?? '';
  return name === '' ? '-' : <Marked text={name} search={search} />;
}

interface ProductsProps {
  readonly project: string;
  /** What is told of each. */
  readonly columns: readonly ColumnName[];
  readonly order: string;
  readonly search: string;
  /** True where products have a page of their own for the person. */
  readonly areLinks: boolean;
}

const SHOWN = 5;

/** The products of a project in its row: the first few, the others on demand. */
function Products({ project, order, ...shown }: ProductsProps) {
  const t = useText();
  const { rows } = useList('product', { project }, { sort: 'dateCreated' });
  const [allOf, setAllOf] = useState<string | null>(null);
  const showsAll = allOf === project;
  const sorted = inOrder(rows, order);
  const first = showsAll ? sorted : sorted.slice(0, SHOWN);
  const keys = useRowKeys(
    project,
    first.map(({ id }) => id),
  );
  if (rows.length === 0) return <span className="no-products">{t('projectTable.noProducts')}</span>;
  const hidden = rows.length - first.length;
  return (
    <span role="list" className="product-chips">
      {first.map((product, index) => (
        <ProductChip key={keys[index]} product={product} {...shown} />
      ))}
      {hidden > 0 && (
        <span role="listitem">
          <button
            type="button"
            className="link-button"
            onClick={() => {
              setAllOf(project);
            }}
          >
            {t('projectTable.showMore', { number: hidden })}
          </button>
        </span>
      )}
    </span>
  );
}

interface ChipProps extends Pick<ProductsProps, 'columns' | 'search' | 'areLinks'> {
  readonly product: Of<'product'>;
}

function ProductChip({ product, columns, search, areLinks }: ChipProps) {
  const t = useText();
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const name = definition?.name ?? '';
  const marked = <Marked text={name} search={search} />;
  return (
    <span role="listitem" className="product-chip">
      <ProductIcon name={name} />
      {areLinks ? (
        <Link className="product-chip-name" title={name} to={`/products/${product.id}/files`}>
          {marked}
        </Link>
      ) : (
        <span className="product-chip-name" title={name}>
          {marked}
        </span>
      )}
      <ProductStatusChip product={product} />
      <span>
        {columns.map((column) => {
          const value = productValueOf(product, column);
          return (
            value !== null && (
              <span key={column} className="fact">
                <span className="out-of-sight">{t(known[column].title)} </span>
                {value}
              </span>
            )
          );
        })}
      </span>
    </span>
  );
}

/** What a column tells of a product; null: nothing yet. */
function productValueOf(product: Of<'product'>, column: ColumnName): ReactNode {
  if (column === 'buildVersion') return product.versionBuilt;
  const at = column === 'buildDate' ? product.dateBuilt : product.dateUpdated;
  return at === null ? null : <RelativeTime at={at} empty="" />;
}

/** Sorts by version as people count, 1.9 before 1.10, or by date; what has neither stands last. */
function inOrder(rows: readonly Of<'product'>[], order: string): readonly Of<'product'>[] {
  const key = order.replace('-', '');
  if (key !== 'versionBuilt' && key !== 'dateBuilt') return rows;
  const way = key === order ? 1 : -1;
  return [...rows].sort(({ [key]: a }, { [key]: b }) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return a.localeCompare(b, 'en', { numeric: true }) * way;
  });
}
