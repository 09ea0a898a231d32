import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';

/** Explains what lines and signs mean, and which keys move about. */
export function Legend({ id }: { readonly id: string }) {
  const t = useText();
  return (
    <figcaption className="machine-legend">
      <span>
        <Icon name="person" /> {t('workflow.legend.people')}
      </span>
      <span>
        <Icon name="gear" /> {t('workflow.legend.engine')}
      </span>
      <span className="machine-check">
        <Icon name="check" /> {t('workflow.legend.passed')}
      </span>
      <span>
        <Stroke className="" /> {t('workflow.legend.forward')}
      </span>
      <span>
        <Stroke className="is-aside" /> {t('workflow.legend.aside')}
      </span>
      <span id={id}>{t('workflow.legend.keys')}</span>
    </figcaption>
  );
}

function Stroke({ className }: { readonly className: string }) {
  return (
    <svg width="28" height="8" aria-hidden>
      <path className={`machine-arrow ${className}`} d="M0 4h28" />
    </svg>
  );
}
