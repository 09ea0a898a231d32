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
import { MenuButton } from '#ui/overlay/menu-button.tsx';
import { Cell, SortHeader, useNear } from '#ui/table/table.tsx';
import { useText } from '#ui/text/text.ts';
import type { RowSelection } from '../../app/page/list-state.ts';
import { columns as known, projectColumns } from '../lists.ts';
import type { ColumnName } from '../lists.ts';
import { useProjectMenu } from '../project-actions.ts';

interface ProjectCardProps {
  readonly project: Of<'project'>;
  readonly columns: readonly ColumnName[];
  readonly productOrder: ProductOrder;
  readonly search: string;
  readonly isDimmed: boolean;
  readonly isSelected: boolean;
  /** Null: the projects are for reading alone, and their pages those of the directory. */
  readonly onSelect: RowSelection['set'] | null;
  readonly onArchiving: (projects: readonly Of<'project'>[]) => void;
}

/** About as tall as a card of one product, before it was ever drawn. */
const CARD_PX = 110;

interface CardProps extends ProjectCardProps {
  /** It is far down: only while it is near what is in view. */
  readonly isFar: boolean;
  /** Others come first: unless it was drawn before, there is room for it, and nothing in that. */
  readonly isLate: boolean;
}

/**
 * A project of a list: its row, and its products below. It is drawn anew only for its own props:
 * the list has many, and reasons of its own.
 */
export const ProjectCard = memo(function ProjectCard({ isFar, isLate, ...card }: CardProps) {
  const { element, isNear, drawnPx } = useNear<HTMLTableSectionElement>(isFar);
  // A card that stood there before the others came stays.
  const [wasDrawn, setWasDrawn] = useState(!isLate);
  if (!wasDrawn && !isLate) setWasDrawn(true);
  return (
    <tbody role="rowgroup" ref={element}>
      {isNear || (wasDrawn && !isFar) ? (
        <Rows {...card} />
      ) : (
        <tr style={{ height: drawnPx ?? CARD_PX }} />
      )}
    </tbody>
  );
});

function Rows(props: ProjectCardProps) {
  const { project, columns, search, isDimmed, isSelected, onSelect, onArchiving } = props;
  const t = useText();
  const { change } = useRecord('project', project.id);
  const badge = badgeOf(change);
  // A creation that was refused is not in the list for anyone else.
  const isUnborn = project.version === 0 && badge === 'refused';
  const dimmed = isDimmed || isUnborn ? 'is-dimmed' : '';
  const ofProject = projectColumns(columns);

  return (
    <>
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
        {ofProject.map((column) => (
          <Cell key={column} label={t(known[column].title)}>
            {valueOf(project, column, search)}
          </Cell>
        ))}
        <td role="cell" className="end">
          {onSelect !== null && <RowMenu project={project} onArchiving={onArchiving} />}
        </td>
      </tr>
      <ProductLines
        project={project.id}
        columns={columns.filter((column) => known[column].of === 'product')}
        order={props.productOrder}
        width={ofProject.length + 2}
        search={search}
        dimmed={dimmed}
        isOfDirectory={onSelect === null}
      />
    </>
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

interface RowMenuProps {
  readonly project: Of<'project'>;
  readonly onArchiving: (projects: readonly Of<'project'>[]) => void;
}

function RowMenu({ project, onArchiving }: RowMenuProps) {
  const t = useText();
  const { entries, question } = useProjectMenu(project, onArchiving);
  if (entries.length === 0) return null;
  return (
    <>
      <MenuButton label={t('projectTable.menuOf', { name: project.name })} entries={entries}>
        <Icon name="more" />
      </MenuButton>
      {question}
    </>
  );
}

/** The order of the products inside each card of a list, and the way to change it. */
export interface ProductOrder {
  readonly order: string;
  readonly onOrder: (order: string) => void;
}

interface LinesProps {
  readonly project: string;
  readonly columns: readonly ColumnName[];
  readonly order: ProductOrder;
  readonly width: number;
  readonly search: string;
  readonly dimmed: string;
  readonly isOfDirectory: boolean;
}

const SHOWN = 5;

/** The products of a project in its card: the first few, the others on demand. */
function ProductLines(props: LinesProps) {
  const { project, columns, order, width, search, dimmed, isOfDirectory } = props;
  const t = useText();
  const { rows } = useList('product', { project }, { sort: 'dateCreated' });
  const [showsAll, setShowsAll] = useState(false);
  if (columns.length === 0) return null;
  const sorted = inOrder(rows, order.order);
  const shown = showsAll ? sorted : sorted.slice(0, SHOWN);
  const hidden = rows.length - shown.length;
  return (
    <tr role="row" className={`product-row ${dimmed}`}>
      {!isOfDirectory && <td role="cell" className="empty-on-cards" />}
      <td role="cell" colSpan={width}>
        {rows.length === 0 ? (
          <div className="no-products">{t('projectTable.noProducts')}</div>
        ) : (
          <table className="product-table" role="table" aria-label={t('projectTable.products')}>
            <thead role="rowgroup">
              <tr role="row">
                <SortHeader sortKey={null} {...order}>
                  {t('projectTable.products')}
                </SortHeader>
                {columns.map((column) => (
                  <SortHeader key={column} sortKey={known[column].sort} {...order}>
                    {t(known[column].title)}
                  </SortHeader>
                ))}
              </tr>
            </thead>
            <tbody role="rowgroup">
              {shown.map((product) => (
                <Line
                  key={product.id}
                  product={product}
                  columns={columns}
                  search={search}
                  isLink={!isOfDirectory}
                />
              ))}
            </tbody>
          </table>
        )}
        {hidden > 0 && (
          <button
            type="button"
            className="link-button"
            onClick={() => {
              setShowsAll(true);
            }}
          >
            {t('projectTable.showMore', { number: hidden })}
          </button>
        )}
      </td>
    </tr>
  );
}

interface LineProps extends Pick<LinesProps, 'columns' | 'search'> {
  readonly product: Of<'product'>;
  /** True where the product has a page of its own for the person. */
  readonly isLink: boolean;
}

function Line({ product, columns, search, isLink }: LineProps) {
  const t = useText();
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const name = definition?.name ?? '';
  const marked = <Marked text={name} search={search} />;
  return (
    <tr role="row">
      <td role="cell">
        <div className="product-name">
          <ProductIcon name={name} />
          <div>
            {isLink ? <Link to={`/products/${product.id}/files`}>{marked}</Link> : marked}{' '}
            <ProductStatusChip product={product} />
          </div>
        </div>
      </td>
      {columns.map((column) => (
        <Cell key={column} label={t(known[column].title)}>
          {productValueOf(product, column)}
        </Cell>
      ))}
    </tr>
  );
}

function productValueOf(product: Of<'product'>, column: ColumnName): ReactNode {
  if (column === 'buildVersion') return product.versionBuilt ?? '-';
  const at = column === 'buildDate' ? product.dateBuilt : product.dateUpdated;
  return <RelativeTime at={at} empty="-" />;
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
