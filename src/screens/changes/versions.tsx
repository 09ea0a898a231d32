import type { ReactNode } from 'react';
import { isUuid } from '#base/id.ts';
import { Differences, isMuchInCommon } from '#ui/status/differences.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { Dot, RelativeTime } from '#ui/value/values.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import type { ChangeRow } from '#data/model/views.ts';
import { useReadable } from './readable.ts';

/** From here on the versions of a text stand below one another. */
const LONG = 60;

const isLong = (text: string): boolean => text.length > LONG || text.includes('\n');

interface VersionProps {
  readonly name: string;
  /** Names who it was and when. */
  readonly by?: ReactNode;
  readonly kind: 'was' | 'mine' | 'theirs';
  readonly text: string;
  /** The earlier value, to mark the differences; null: not marked. */
  readonly since: string | null;
}

/** One version of a field: its name, whose it is, and what it reads. */
export function Version({ name, by, kind, text, since }: VersionProps) {
  return (
    <div className={`version version-${kind}`}>
      <dt>
        {name}
        {by !== undefined && <span className="caption version-by">{by}</span>}
      </dt>
      <dd dir="auto">
        {since === null ? <bdi>{text}</bdi> : <Differences before={since} after={text} />}
      </dd>
    </div>
  );
}

/**
 * Shows what two people made of the same fields: was, mine and theirs, with who and when. Where long
 * texts have enough in common, what differs is marked; others are whole.
 */
export function Conflict({ row }: { readonly row: ChangeRow }) {
  const t = useText();
  const language = useLanguage();
  const { field, value } = useReadable();
  const { about, conflict, other, madeAt } = row;
  const mine = (
    <>
      {t('changes.version.you')}
      <Dot />
      <RelativeTime at={madeAt} />
    </>
  );
  const theirs = (
    <>
      {other?.by !== null && other?.by !== undefined && <bdi>{other.by}</bdi>}
      {other?.by !== null && other?.at !== null && <Dot />}
      {other?.at !== null && other?.at !== undefined && <RelativeTime at={other.at} />}
    </>
  );
  return conflict.map((one) => {
    const [was, my, their] = [one.was, one.mine, one.theirs].map((raw) =>
      value(about.type, one.field, raw),
    ) as [string, string, string];
    const long = [was, my, their].some(isLong);
    const isMarked = long && [my, their].every((text) => isMuchInCommon(was, text, language));
    return (
      <section className="versions-of" key={one.field}>
        <h4>{field(about.type, one.field)}</h4>
        <dl className={`versions ${long ? 'versions-long' : ''}`}>
          <Version kind="was" name={t('changes.version.was')} text={was} since={null} />
          <Version
            kind="mine"
            name={t('changes.version.mine')}
            by={mine}
            text={my}
            since={isMarked ? was : null}
          />
          <Version
            kind="theirs"
            name={t('changes.version.theirs')}
            {...(other === null ? {} : { by: theirs })}
            text={their}
            since={isMarked ? was : null}
          />
        </dl>
      </section>
    );
  });
}

/** Shows what a request was based on, and what of that is otherwise now. */
export function Basis({ row }: { readonly row: ChangeRow }) {
  const t = useText();
  const { field, value } = useReadable();
  const { about, basis } = row;
  return basis.map((one) => (
    <section className="versions-of" key={one.field}>
      <h4>{field(about.type, one.field)}</h4>
      <dl className="versions versions-two">
        <Version
          kind="was"
          name={t('changes.version.then')}
          text={value(about.type, one.field, one.then)}
          since={null}
        />
        <Version
          kind="theirs"
          name={t('changes.version.now')}
          text={value(about.type, one.field, one.now)}
          since={null}
        />
      </dl>
    </section>
  ));
}

/** Shows what the person stated, but for the fields that are shown otherwise. */
export function Typed({ row, title }: { readonly row: ChangeRow; readonly title: string }) {
  const { field, value } = useReadable();
  const { about, typed, conflict, isRequest } = row;
  const shown = new Set(conflict.map((one) => one.field));
  // The sentence of an action names what it is about.
  const fields = Object.entries(typed).filter(
    ([name, raw]) => !shown.has(name) && !(isRequest && (raw === null || isUuid(raw))),
  );
  if (fields.length === 0) return null;
  return (
    <details className="typed" open={fields.length < 4}>
      <summary>
        <Icon name="edit" /> {title}
      </summary>
      <dl className="facts">
        {fields.map(([name, raw]) => (
          <div className="fact-pair" key={name}>
            <dt>{field(about.type, name)}</dt>
            <dd dir="auto">{value(about.type, name, raw)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
