import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { wireTypeOf } from '#protocol/names.ts';
import type { Find } from '#rules/find.ts';
import type { Of } from '#schema/index.ts';
import { useData } from '#data/use-data.ts';
import { useList } from '#data/use-list.ts';
import { useRecord } from '#data/use-record.ts';
import { badgeOf } from '#ui/change-badge.tsx';
import { CheckBox } from '#ui/check-box.tsx';
import { Icon } from '#ui/icon.tsx';
import { LanguageName } from '#ui/language-name.tsx';
import { Marked } from '#ui/marked.tsx';
import { MenuButton } from '#ui/menu-button.tsx';
import { ProductIcon } from '#ui/product-icon.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Cell } from '#ui/table.tsx';
import { useText } from '#ui/text.ts';
import { RecordBadge } from '../changes/record-badge.tsx';
import { columns as known } from './lists.ts';
import type { ColumnName } from './lists.ts';
import { useProjectMenu } from './use-project-menu.ts';

interface Props {
  readonly project: Of<'project'>;
  readonly columns: readonly ColumnName[];
  readonly search: string;
  readonly isDimmed: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (isSelected: boolean, isRange: boolean) => void;
  readonly onArchiving: (projects: readonly Of<'project'>[]) => void;
}

/** A project of a list: its row, and its products below. */
export function ProjectCard(props: Props) {
  const { project, columns, search, isDimmed, isSelected, onSelect, onArchiving } = props;
  const t = useText();
  const { find } = useData();
  const { change } = useRecord('project', project.id);
  const badge = badgeOf(change);
  // A creation that was refused is not in the list for anyone else.
  const isUnborn = project.version === 0 && badge === 'refused';
  const dimmed = isDimmed || isUnborn ? 'is-dimmed' : '';
  const projectColumns = columns.filter((column) => known[column].of === 'project');

  return (
    <tbody role="rowgroup">
      <tr
        role="row"
        className={`project-row ${dimmed}`}
        data-record={`${wireTypeOf('project')}:${project.id}`}
        data-change={badge ?? undefined}
        data-selected={isSelected}
      >
        <td role="cell" className="tight">
          <CheckBox
            label={t('projectTable.select', { name: project.name })}
            state={isSelected ? 'all' : 'none'}
            onChange={onSelect}
          />
        </td>
        <Cell label={t('projectTable.columns.project')} className="name-cell">
          <span className="project-name">
            <Link to={`/projects/${project.id}`}>
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
              <span className="out-of-sight">
                {project.dateArchived === null
                  ? t('projectTable.activeAgain')
                  : t('project.archived')}
              </span>
            )}
          </span>
        </Cell>
        {projectColumns.map((column) => (
          <Cell key={column} label={t(known[column].title)}>
            {valueOf(project, column, find, search)}
          </Cell>
        ))}
        <td role="cell" className="end">
          <RowMenu project={project} onArchiving={onArchiving} />
        </td>
      </tr>
      <Products
        project={project.id}
        columns={columns.filter((column) => known[column].of === 'product')}
        width={projectColumns.length + 2}
        dimmed={dimmed}
      />
    </tbody>
  );
}

function valueOf(
  project: Of<'project'>,
  column: ColumnName,
  find: Find,
  search: string,
): ReactNode {
  const named = (name: string | null | undefined) =>
    name === null || name === undefined || name === '' ? (
      '-'
    ) : (
      <Marked text={name} search={search} />
    );
  switch (column) {
    case 'owner':
      return named(project.owner === null ? null : find.one('user', project.owner)?.name);
    case 'organization':
      return named(find.one('organization', project.organization)?.name);
    case 'group':
      return named(find.one('group', project.group)?.name);
    case 'language':
      return <LanguageName tag={project.language} search={search} />;
    case 'dateCreated':
    case 'dateUpdated':
    case 'dateActive':
      return <RelativeTime at={project[column]} empty="-" />;
    case 'buildVersion':
    case 'buildDate':
    case 'productUpdated':
      return null;
  }
}

interface RowMenuProps {
  readonly project: Of<'project'>;
  readonly onArchiving: (projects: readonly Of<'project'>[]) => void;
}

function RowMenu({ project, onArchiving }: RowMenuProps) {
  const t = useText();
  const entries = useProjectMenu(project, onArchiving);
  if (entries.length === 0) return null;
  return (
    <MenuButton label={t('projectTable.menuOf', { name: project.name })} entries={entries}>
      <Icon name="more" />
    </MenuButton>
  );
}

interface ProductsProps {
  readonly project: string;
  readonly columns: readonly ColumnName[];
  readonly width: number;
  readonly dimmed: string;
}

function Products({ project, columns, width, dimmed }: ProductsProps) {
  const t = useText();
  const { find } = useData();
  const { rows } = useList('product', { project }, { sort: 'dateCreated' });
  if (columns.length === 0) return null;
  return (
    <tr role="row" className={`product-row ${dimmed}`}>
      <td role="cell" className="empty-on-cards" />
      <td role="cell" colSpan={width}>
        {rows.length === 0 && <div className="no-products">{t('projectTable.noProducts')}</div>}
        <ul
          className="product-lines"
          aria-label={t('projectTable.products')}
          hidden={rows.length === 0}
        >
          {rows.map((product) => {
            const name = find.one('productDefinition', product.productDefinition)?.name ?? '';
            return (
              <li className="product-line" key={product.id}>
                <ProductIcon name={name} />
                <span>{name}</span>
                {columns.map((column) => (
                  <span key={column}>
                    {t(known[column].title)}: {productValue(product, column)}
                  </span>
                ))}
              </li>
            );
          })}
        </ul>
      </td>
    </tr>
  );
}

function productValue(product: Of<'product'>, column: ColumnName): ReactNode {
  if (column === 'buildVersion') return product.versionBuilt ?? '-';
  const at = column === 'buildDate' ? product.dateBuilt : product.dateUpdated;
  return <RelativeTime at={at} empty="-" />;
}
