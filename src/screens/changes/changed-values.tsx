import type { ReactNode } from 'react';
import type { ChangeRow } from '#data/model/views.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { isMuchInCommon } from '#ui/status/differences.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { excerptOf, excerptsOf } from './excerpts.ts';
import { useChangedWords } from './use-changed-words.ts';
import type { ChangedWords } from './use-changed-words.ts';
import { Version } from './versions.tsx';

/** Fields of a change that its line names; the others show with its details. */
const FIELDS_MOST = 3;
/** Characters of one value in a line. */
const CHARACTERS_MOST = 40;

/** Says what a change does: from which values to which. What is cut off shows on demand. */
export function ChangedValues({ row }: { readonly row: ChangeRow }) {
  const t = useText();
  const words = useChangedWords()(row);
  if (words.length === 0) return null;
  const lines = words.slice(0, FIELDS_MOST).map((one) => ({ one, excerpt: excerptIn(one) }));
  const isWhole =
    lines.length === words.length &&
    lines.every(({ one, excerpt }) => one.before === excerpt.before && one.after === excerpt.after);
  const shown = lines.map(({ one, excerpt }) => (
    <ValueLine key={one.key} words={{ ...one, ...excerpt }} />
  ));
  if (isWhole) return <div className="changed-values">{shown}</div>;
  const rest = words.length - lines.length;
  return (
    <details className="changed-values">
      <summary>
        {shown}
        {rest > 0 && <span className="caption">{t('values.more', { count: rest })}</span>}
      </summary>
      {words.map((one) => (
        <WholeValue key={one.key} words={one} />
      ))}
    </details>
  );
}

function excerptIn({ before, after }: ChangedWords): Pick<ChangedWords, 'before' | 'after'> {
  if (before !== null && after !== null) {
    const [was, is] = excerptsOf(before, after, CHARACTERS_MOST);
    return { before: was, after: is };
  }
  const cut = (value: string | null) => (value === null ? null : excerptOf(value, CHARACTERS_MOST));
  return { before: cut(before), after: cut(after) };
}

interface WordsProps {
  readonly words: ChangedWords;
}

/** "Owner: Ben Okafor → Ada"; of what is new or removed its value alone. */
function ValueLine({ words }: WordsProps) {
  const t = useText();
  const { field, before, after, isQuoted } = words;
  const said = (value: string): ReactNode => (
    <bdi>
      {isQuoted && value !== t('values.none') ? t('values.quoted', { text: value }) : value}
    </bdi>
  );
  return (
    <span className="changed-value">
      <span className="soft">{field}:</span> {before !== null && said(before)}
      {before !== null && after !== null && (
        <>
          {/* Not every device has a letter for the arrow. */}
          <span className="out-of-sight"> → </span>
          <Icon name="next" />
        </>
      )}
      {after !== null && said(after)}
    </span>
  );
}

function WholeValue({ words: { field, before, after } }: WordsProps) {
  const t = useText();
  const language = useLanguage();
  const isMarked = before !== null && after !== null && isMuchInCommon(before, after, language);
  return (
    <section className="versions-of">
      <h4>{field}</h4>
      <dl className="versions versions-long">
        {before !== null && (
          <Version kind="was" name={t('changes.version.was')} text={before} since={null} />
        )}
        {after !== null && (
          <Version
            kind="mine"
            name={t('changes.version.now')}
            text={after}
            since={isMarked ? before : null}
          />
        )}
      </dl>
    </section>
  );
}
