import type { BulkAction } from '#rules/product.ts';
import { Note } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import type { Choice, Offer } from './use-offer.ts';

interface Props {
  readonly offer: Offer;
  /** Products of the ticked definitions. */
  readonly chosen: readonly Choice[];
  readonly action: BulkAction;
}

/** Says by action how many of the chosen products it is not for, when the wanted one is not for all. */
export function LeftOut({ offer, chosen, action }: Props) {
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
