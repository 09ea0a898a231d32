import { outcomeOf } from '#rules/record/step-outcome.ts';
import type { StepOutcome } from '#rules/record/step-outcome.ts';
import { ACTIVITY, PROJECT_ACCESS } from '#rules/record/transitions.ts';
import type { Of } from '#schema/index.ts';
import { useList, useRecord } from '#data/react/hooks.ts';
import { EmptyBox, Skeleton } from '#ui/status/boxes.tsx';
import { StatusChip } from '#ui/status/status-chip.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { useDateFormats } from '#ui/value/values.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useText, useTextOf } from '#ui/text/text.ts';
import { ProductStatusChip } from '../app/page/status/product-status.tsx';
import { stepAhead } from '../flow/history.ts';
import { useCommandName, useNameOf, TaskComment } from '../flow/task.tsx';
import { kebab } from '#base/kebab.ts';
import { historyOf } from './builds.ts';
import { FilesTable } from './files-table.tsx';

type Row = Of<'productTransition'>;

interface Props {
  readonly product: Of<'product'>;
  /** Otherwise it is closed until someone opens it. */
  readonly isOpen?: boolean;
}

/** Shows what happened to a product, and what is expected. */
export function History({ product, isOpen = false }: Props) {
  const t = useText();
  const { record: store } = useRecord('store', product.store);
  const name = store?.description ?? store?.name;
  return (
    <details className="files-box" open={isOpen}>
      <summary>
        <h2>{t('files.history')}</h2>
      </summary>
      <Transitions
        product={product}
        {...(name === undefined ? {} : { caption: `${t('products.store')}: ${name}` })}
      />
    </details>
  );
}

interface TransitionsProps {
  readonly product: Of<'product'>;
  readonly caption?: string;
}

/** Lists line by line what happened, the newest first, and below it what is expected. */
export function Transitions({ product, caption }: TransitionsProps) {
  const t = useText();
  const { state, rows } = useList('productTransition', { product: product.id });
  const { past, ahead } = historyOf(rows);
  const present = stepAhead(rows, product.workflowState);

  if (state === 'loading') return <Skeleton rows={3} />;
  if (rows.length === 0)
    return state === 'ready' ? (
      <EmptyBox icon="clock" title={t('files.history.empty')} level="h3">
        {t('files.history.emptyText')}
      </EmptyBox>
    ) : (
      <p className="soft">{t('sync.notOnDevice')}</p>
    );
  return (
    <FilesTable
      label={t('files.history')}
      columns={['files.step', 'files.user', 'files.command', 'files.comment', 'files.date']}
      className="files-history"
      {...(caption === undefined ? {} : { caption })}
    >
      {past.map((row) => (
        <OneRow key={row.id} row={row} at={null} />
      ))}
      {ahead.length > 0 && (
        <tr role="row" className="files-ahead">
          <td role="cell" colSpan={5}>
            {t('files.history.ahead')}
          </td>
        </tr>
      )}
      {ahead.map((row) => (
        <OneRow key={row.id} row={row} at={row.id === present?.id ? product : null} />
      ))}
    </FilesTable>
  );
}

interface OneRowProps {
  readonly row: Row;
  /** The product, where this is the step that it is at. */
  readonly at: Of<'product'> | null;
}

function OneRow({ row, at }: OneRowProps) {
  const t = useText();
  const dates = useDateFormats();
  const commandName = useCommandName();
  const isStep = row.transitionType === ACTIVITY || row.transitionType === PROJECT_ACCESS;
  const classes = [row.dateTransition === null ? 'is-ahead' : '', isStep ? '' : 'is-turn'];
  return (
    <tr role="row" className={classes.join(' ')}>
      <Cell label={t('files.step')}>
        <span className="files-step">
          <State row={row} />
          {/* What failed before stands in its own row. */}
          {at !== null && <ProductStatusChip product={{ ...at, failure: null }} />}
          <Outcome outcome={outcomeOf(row)} />
        </span>
      </Cell>
      <Cell label={t('files.user')}>{isStep && <User row={row} />}</Cell>
      <Cell label={t('files.command')}>{row.command === null ? '' : commandName(row.command)}</Cell>
      <Cell label={t('files.comment')}>
        {row.comment !== null && row.comment !== '' && (
          <TaskComment comment={row.comment} product={row.product} />
        )}
      </Cell>
      <Cell label={t('files.date')}>
        {row.dateTransition === null ? '' : dates.short(row.dateTransition)}
      </Cell>
    </tr>
  );
}

function State({ row }: { readonly row: Row }) {
  const t = useText();
  const textOf = useTextOf();
  const { transitionType, initialState, workflowType } = row;
  switch (transitionType) {
    case 2:
    case 3:
    case 4: {
      const workflow =
        workflowType === null ? t('files.workflow') : t(`files.workflow.${workflowType}`);
      return t(`files.history.${transitionType}`, { workflow });
    }
    case 1:
    case 5: {
      const state = initialState ?? '';
      const name = textOf(`states.${kebab(state)}`, state);
      if (transitionType === ACTIVITY) return name;
      return (
        <>
          <Icon name="star" label={t('files.history.access')} /> {name}
        </>
      );
    }
  }
}

function Outcome({ outcome }: { readonly outcome: StepOutcome | null }) {
  const t = useText();
  switch (outcome?.is) {
    case undefined:
      return null;
    case 'failed':
      return <StatusChip tone="bad">{t(`productStatus.failed.${outcome.what}`)}</StatusChip>;
    case 'built':
      return <StatusChip tone="good">{t('builds.status.built')}</StatusChip>;
    case 'published':
      return <StatusChip tone="good">{t('productStatus.published')}</StatusChip>;
  }
}

/** Names who did it; for a step to come, who may. */
function User({ row }: { readonly row: Row }) {
  const nameOf = useNameOf();
  const { dateTransition, allowedUserNames, workflowUserId } = row;
  if (dateTransition !== null) return <bdi>{nameOf(workflowUserId)}</bdi>;
  return allowedUserNames === null ? <bdi>{nameOf(null)}</bdi> : <bdi>{allowedUserNames}</bdi>;
}
