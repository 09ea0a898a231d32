import { useChanges } from '#data/react/hooks.ts';
import type { ChangeRow } from '#data/model/views.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { useText, useTextOf } from '#ui/text/text.ts';
import { saveAsFile } from '../app/page/device/save-as-file.ts';

/** Changes in a record that is gone, together. */
export interface LostGroup {
  readonly key: string;
  readonly parent: NonNullable<ChangeRow['lostParent']>;
  readonly rows: readonly ChangeRow[];
}

/** Those of `rows` that lost the record above them, by that record; the rest apart. */
export function lostGroupsOf(rows: readonly ChangeRow[]): {
  readonly lost: readonly LostGroup[];
  readonly others: readonly ChangeRow[];
} {
  const groups = new Map<string, LostGroup>();
  const others = rows.filter((row) => {
    const { lostParent } = row;
    if (lostParent === null) return true;
    const key = `${lostParent.type}:${lostParent.id}`;
    const before = groups.get(key)?.rows ?? [];
    groups.set(key, { key, parent: lostParent, rows: [...before, row] });
    return false;
  });
  return { lost: [...groups.values()], others };
}

interface Props {
  readonly group: LostGroup;
  readonly onDiscard: (rows: readonly ChangeRow[]) => void;
}

/** Says who deleted what, and what can be done with all that was changed below. */
export function LostHead({ group, onDiscard }: Props) {
  const t = useText();
  const textOf = useTextOf();
  const { exportText } = useChanges();
  const { parent, rows } = group;
  const what = textOf(`types.${parent.type}`, t('types.record'));
  const save = () => {
    saveAsFile(`slipway-${parent.id}.json`, textOfAll(rows, exportText));
  };
  return (
    <div className="lost-head">
      <strong>
        <Icon name="error" />{' '}
        {parent.by === null
          ? t('changes.lost.unknown', { what })
          : t('changes.lost.by', { what, name: parent.by })}
      </strong>
      <p className="change-note">{t('changes.lost.text')}</p>
      <div className="box-actions">
        <button
          type="button"
          className="ui small negative button"
          onClick={() => {
            onDiscard(rows);
          }}
        >
          {t('changes.discardAll')}
        </button>
        <button type="button" className="link-button" onClick={save}>
          {t('changes.exportAll')}
        </button>
      </div>
    </div>
  );
}

/** The changes as one JSON text. */
export function textOfAll(
  rows: readonly ChangeRow[],
  textOf: (id: string) => string | null,
): string {
  const texts = rows.map(({ id }) => textOf(id)).filter((text) => text !== null);
  return `[${texts.join(',\n')}]`;
}
