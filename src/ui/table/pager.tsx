import { Icon } from '../picture/icon.tsx';
import type { IconName } from '../picture/icon.tsx';
import { useText } from '../text/text.ts';

interface Props {
  /** The page, counted from 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

const AROUND = 2;

/** First, previous, the numbers around the present one, next, last, and "21–40 of 61". */
export function Pager({ page, pageSize, total, onPage }: Props) {
  const t = useText();
  const last = Math.max(1, Math.ceil(total / pageSize));
  if (last === 1) return null;
  const from = Math.max(1, Math.min(page - AROUND, last - 2 * AROUND));
  const to = Math.min(last, Math.max(page + AROUND, 1 + 2 * AROUND));
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const range = {
    from: (page - 1) * pageSize + 1,
    to: Math.min(page * pageSize, total),
    total,
  };
  const step = (icon: IconName, label: string, target: number, isDisabled: boolean) => (
    <button
      type="button"
      className="page-button"
      aria-label={label}
      aria-disabled={isDisabled}
      onClick={() => {
        if (!isDisabled) onPage(target);
      }}
    >
      <Icon name={icon} />
    </button>
  );

  return (
    <nav className="pager" aria-label={t('pager.label')}>
      <span className="pager-range">{t('pager.range', range)}</span>
      <span className="pager-buttons">
        {step('first', t('pager.first'), 1, page === 1)}
        {step('back', t('pager.previous'), page - 1, page === 1)}
        {numbers.map((number) => (
          <button
            type="button"
            key={number}
            className="page-button"
            aria-label={t('pager.page', { number })}
            aria-current={number === page ? 'page' : undefined}
            onClick={() => {
              onPage(number);
            }}
          >
            {number}
          </button>
        ))}
        {step('next', t('pager.next'), page + 1, page === last)}
        {step('last', t('pager.last'), last, page === last)}
      </span>
    </nav>
  );
}
