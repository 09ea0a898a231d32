import { Link } from 'react-router-dom';
import { useText } from '#ui/text/text.ts';

/** Mark and name, and the way home. */
export function Brand() {
  const t = useText();
  return (
    <Link className="brand" to="/" aria-label={t('common.brand')}>
      <img src="/icons/mark.svg" alt="" width="28" height="28" />
      <span className="wordmark">{t('common.brand')}</span>
    </Link>
  );
}
