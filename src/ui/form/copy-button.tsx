import { useState } from 'react';
import { useUiEnvironment } from '../ui-environment.tsx';
import { useText } from '../text/text.ts';

interface Props {
  readonly text: string;
  /** Names what is copied, for people who do not see what stands beside it. */
  readonly what: string;
}

const SAID_MS = 2_000;

/** Copies a text that stands beside it, and says for a moment whether it did. */
export function CopyButton({ text, what }: Props) {
  const t = useText();
  const { later } = useUiEnvironment();
  const [outcome, setOutcome] = useState<'copied' | 'notCopied' | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      // Pages that came without TLS have no clipboard, and people can forbid it.
      setOutcome('notCopied');
    }
    later(() => {
      setOutcome(null);
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
        {t(outcome === null ? 'flow.copy' : `flow.${outcome}`)}
      </button>
      <span className="out-of-sight" role="status">
        {outcome !== null && t(`flow.${outcome}`)}
      </span>
    </>
  );
}
