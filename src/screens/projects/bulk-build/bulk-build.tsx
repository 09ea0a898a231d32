import { useEffect, useRef, useState } from 'react';
import { limits } from '#protocol/limits.ts';
import type { BulkAction } from '#rules/product.ts';
import type { Of } from '#schema/index.ts';
import { ErrorBox, Note, Skeleton } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { useText } from '#ui/text/text.ts';
import { useProblemText } from '../../app/page/changes/problem-text.ts';
import { refusedIn } from '../../products/refused-in.ts';
import { RefusedTogether } from '../../products/refused-together.tsx';
import { Definitions } from './definitions.tsx';
import { useBulkRun } from './use-bulk-run.ts';
import type { BulkRun } from './use-bulk-run.ts';
import { useOffer } from './use-offer.ts';
import type { Offer, Choice } from './use-offer.ts';
import './bulk-build.css';

interface BulkBuildProps {
  readonly projects: readonly Of<'project'>[];
  readonly onClose: () => void;
  /** They are started, or wait to be sent. */
  readonly onStarted: () => void;
}

/** Rebuilds or republishes the products of many projects together. */
export function BulkBuild({ projects, onClose, onStarted }: BulkBuildProps) {
  const t = useText();
  const running = useBulkRun(() => {
    onStarted();
    onClose();
  });
  const { isBusy, refusal, run } = running;
  const offer = useOffer(projects, refusedIn(refusal));
  const [wanted, want] = useState<BulkAction | null>(null);
  const [unticked, setUnticked] = useState<ReadonlySet<string>>(new Set());
  const action = wanted ?? offer.actions[0] ?? null;
  const chosen = offer.choices.filter(({ definition }) => !unticked.has(definition));
  const products =
    action === null ? [] : chosen.filter(({ product }) => offer.whyNot(action, product) === null);

  const tick = (definition: string, isTicked: boolean) => {
    const others = [...unticked].filter((other) => other !== definition);
    setUnticked(new Set(isTicked ? others : [...others, definition]));
  };
  return (
    <Dialog
      title={t('projects.bulk.buildModal.title')}
      size="medium"
      isBusy={isBusy}
      onClose={onClose}
      actions={
        <Buttons
          action={offer.isAwaited ? null : action}
          count={products.length}
          isBusy={isBusy}
          onClose={onClose}
          onRun={(wished) => void run(products, wished)}
        />
      }
    >
      {offer.isAwaited ? (
        <Skeleton rows={3} />
      ) : action === null ? (
        <ErrorBox title={t('errors.invalidProjectSelection')} />
      ) : (
        <fieldset className="bulk-build" disabled={isBusy}>
          <Notes offer={offer} running={running} />
          {(offer.actions.length > 1 || !offer.actions.includes(action)) && (
            <Actions offered={offer.actions} chosen={action} onChoose={want} />
          )}
          <Definitions action={action} offer={offer} unticked={unticked} onTick={tick} />
          <LeftOut offer={offer} chosen={chosen} action={action} />
          {products.length > limits.bulkMost && (
            <Note tone="warning">
              {t('projects.bulk.buildModal.tooMany', { number: limits.bulkMost })}
            </Note>
          )}
        </fieldset>
      )}
    </Dialog>
  );
}

interface ButtonsProps {
  readonly action: BulkAction | null;
  readonly count: number;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onRun: (action: BulkAction) => void;
}

function Buttons({ action, count, isBusy, onClose, onRun }: ButtonsProps) {
  const t = useText();
  if (action === null) return <Button onClick={onClose}>{t('common.close')}</Button>;
  return (
    <>
      <Button disabled={isBusy} onClick={onClose}>
        {t('common.cancel')}
      </Button>
      <Button
        primary
        loading={isBusy}
        disabled={isBusy || count === 0 || count > limits.bulkMost}
        onClick={() => {
          onRun(action);
        }}
      >
        {t(`projects.bulk.buildModal.${action}`, { count })}
      </Button>
    </>
  );
}

interface NotesProps {
  readonly offer: Offer;
  readonly running: BulkRun;
}

/** Shows what the server refused, and where it gave no answer. */
function Notes({ offer, running: { refusal } }: NotesProps) {
  const t = useText();
  const reasonOf = useProblemText();
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    top.current?.scrollIntoView({ block: 'nearest' });
  }, [refusal]);
  return (
    <>
      {refusal !== null && (
        <div ref={top}>
          <Note tone="error">
            <strong>{t('projects.bulk.buildModal.refused')}</strong>
            <p>
              {refusedIn(refusal).length === 0
                ? reasonOf(refusal)
                : t('projects.bulk.buildModal.takenOut')}
            </p>
            <RefusedTogether problem={refusal} />
          </Note>
        </div>
      )}
      {offer.isFromDevice && <Note tone="info">{t('projects.bulk.buildModal.fromDevice')}</Note>}
    </>
  );
}

interface ActionsProps {
  readonly offered: readonly BulkAction[];
  readonly chosen: BulkAction;
  readonly onChoose: (action: BulkAction) => void;
}

function Actions({ offered, chosen, onChoose }: ActionsProps) {
  const t = useText();
  return (
    <div
      className="bulk-actions"
      role="radiogroup"
      aria-label={t('projects.bulk.buildModal.action')}
    >
      {(offered.includes(chosen) ? offered : [...offered, chosen]).map((action) => (
        <label key={action}>
          <input
            type="radio"
            name="bulk-action"
            checked={action === chosen}
            onChange={() => {
              onChoose(action);
            }}
          />
          {t(`products.actions.${action}`)}
        </label>
      ))}
    </div>
  );
}

interface LeftOutProps {
  readonly offer: Offer;
  /** Products of the ticked definitions. */
  readonly chosen: readonly Choice[];
  readonly action: BulkAction;
}

/** Says by action how many of the chosen products it is not for, when the wanted one is not for all. */
function LeftOut({ offer, chosen, action }: LeftOutProps) {
  const t = useText();
  const leftBy = (one: BulkAction) =>
    chosen.filter(({ product }) => offer.whyNot(one, product) !== null).length;
  if (leftBy(action) === 0) return null;
  const total = chosen.length;
  return (
    <Note tone="warning">
      {t('projects.bulk.buildModal.notAll')}
      <ul className="bulk-left-out">
        {[...new Set([action, ...offer.actions])].map((one) => (
          <li key={one}>
            {t('projects.bulk.buildModal.leftOut', {
              action: t(`products.actions.${one}`),
              number: leftBy(one),
              total,
            })}
          </li>
        ))}
      </ul>
    </Note>
  );
}
