import { useState } from 'react';
import { useUiEnvironment } from '../ui-environment.tsx';
import { useText } from '../text/text.ts';

interface Props {
  readonly text: string;
  /** Names what is copied, for people who do not see what stands beside it. */
  readonly what: string;
}

const SAID_MS = 2_000;

/** Copies an address, and says for a moment that it did. */
export function CopyButton({ text, what }: Props) {
  const t = useText();
  const { later } = useUiEnvironment();
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    later(() => {
      setCopied(false);
    }, SAID_MS);
  };
  return (
    <>
      <button
        type="button"
        className="link-button"
        aria-label={t('flow.copyOf', { what })}
        onClick={() => void copy()}
      >
        {isCopied ? t('flow.copied') : t('flow.copy')}
      </button>
      <span className="out-of-sight" role="status">
        {isCopied && t('flow.copied')}
      </span>
    </>
  );
}
