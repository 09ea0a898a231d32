import type { BulkAction } from '#rules/product.ts';
import { Icon, ProductIcon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { Dot } from '#ui/value/values.tsx';
import { useWhyNot } from '../../products/refused-together.tsx';
import type { Choice, Offer } from './use-offer.ts';

interface Props {
  readonly action: BulkAction;
  readonly offer: Offer;
  /** Definitions that are not wanted. */
  readonly unticked: ReadonlySet<string>;
  readonly onTick: (definition: string, isTicked: boolean) => void;
}

const MAY = { rebuild: 'mayRebuild', republish: 'mayRepublish' } as const;

/**
 * Lists what is built from the selected projects: each kind with how many of it the action is for,
 * and why not for the others where that is one reason.
 */
export function Definitions({ action, offer, unticked, onTick }: Props) {
  const t = useText();
  const sayWhyNot = useWhyNot();
  return (
    <ul className="bulk-definitions" aria-label={t('projects.bulk.buildModal.definitions')}>
      {byDefinition(offer.choices).map(({ definition, name, choices }) => {
        const reasons = choices.map(({ product }) => offer.whyNot(action, product));
        const may = reasons.filter((reason) => reason === null).length;
        const against = [...new Set(reasons.filter((reason) => reason !== null))];
        const [only] = against.length === 1 ? against : [];
        return (
          <li key={definition} className="bulk-definition">
            <label className="bulk-definition-head">
              <input
                type="checkbox"
                checked={!unticked.has(definition) && may > 0}
                disabled={may === 0}
                onChange={(event) => {
                  onTick(definition, event.target.checked);
                }}
              />
              <ProductIcon name={name} />
              <span>
                <strong>{name}</strong>
                <span className="caption">
                  {t(`projects.bulk.buildModal.${MAY[action]}`, { may, count: choices.length })}
                  {only !== undefined && (
                    <>
                      <Dot />
                      {sayWhyNot(only)}
                    </>
                  )}
                </span>
              </span>
            </label>
            <details>
              <summary>{t('projects.bulk.buildModal.which')}</summary>
              <ul className="bulk-lines">
                {choices.map((choice) => (
                  <Line key={choice.product.id} choice={choice} action={action} offer={offer} />
                ))}
              </ul>
            </details>
          </li>
        );
      })}
    </ul>
  );
}

interface LineProps extends Pick<Props, 'action' | 'offer'> {
  readonly choice: Choice;
}

function Line({ choice: { product, names }, action, offer }: LineProps) {
  const t = useText();
  const sayWhyNot = useWhyNot();
  const whyNot = offer.whyNot(action, product);
  return (
    <li>
      <bdi>{names.project}</bdi>
      {whyNot === null ? (
        <span className="bulk-ready">
          <Icon name="check" />
          {t('projects.bulk.buildModal.ready')}
        </span>
      ) : (
        <span className="soft">{sayWhyNot(whyNot)}</span>
      )}
    </li>
  );
}

interface Kind {
  readonly definition: string;
  readonly name: string;
  readonly choices: Choice[];
}

/** Groups the choices by the name of their definition. */
function byDefinition(choices: readonly Choice[]): readonly Kind[] {
  const kinds = new Map<string, Kind>();
  for (const choice of choices) {
    const { definition, names } = choice;
    const kind = kinds.get(definition) ?? { definition, name: names.product, choices: [] };
    kind.choices.push(choice);
    kinds.set(definition, kind);
  }
  return [...kinds.values()].sort((a, b) => a.name.localeCompare(b.name));
}
