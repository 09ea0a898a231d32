import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { usesOf } from '#rules/undo/in-use.ts';
import type { Of, TypeName } from '#schema/index.ts';
import { useFind } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { useText, useTextOf } from '#ui/text/text.ts';
import { useSaved } from '../../app/page/changes/use-saved.ts';
import { useAttempt } from '../../app/page/use-attempt.ts';
import { useOneAtATime } from '../../app/page/use-one-at-a-time.ts';

interface Props<T extends TypeName> {
  readonly type: T;
  readonly record: Of<T>;
  readonly name: string;
  /** Where to go on once it is removed. */
  readonly list: string;
  readonly onRemove: () => Promise<void>;
}

/** Removes a record, after a question that names what uses it; what is in use stays. */
export function RemoveRecord<T extends TypeName>(props: Props<T>) {
  const { type, record, name, list, onRemove } = props;
  const t = useText();
  const textOf = useTextOf();
  const find = useFind();
  const go = useNavigate();
  const attempt = useAttempt();
  const saved = useSaved();
  const [isAsking, setAsking] = useState(false);
  const uses = usesOf(type, record, find);
  const close = () => {
    setAsking(false);
  };
  const remove = useOneAtATime(async () => {
    if (!(await attempt(t('errors.generic'), onRemove))) return;
    saved({ success: t('admin.settings.removed', { name }) });
    void go(list);
  });
  return (
    <div className="remove-record">
      <Button
        negative
        onClick={() => {
          setAsking(true);
        }}
      >
        {t('admin.settings.remove')}
      </Button>
      {isAsking && (
        <Dialog
          title={t('admin.settings.removeNamed', { name })}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>{t('common.cancel')}</Button>
              <Button negative disabled={uses !== null} onClick={() => void remove()}>
                {t('admin.settings.remove')}
              </Button>
            </>
          }
        >
          {uses === null ? (
            <p>{t('admin.settings.removeText')}</p>
          ) : (
            <>
              <p>{t('admin.settings.inUse')}</p>
              <ul>
                {Object.entries(uses).map(([of, count]) => (
                  <li key={of}>
                    {textOf(`admin.settings.uses.${of}`, `${of}: ${count}`, { count })}
                  </li>
                ))}
              </ul>
            </>
          )}
        </Dialog>
      )}
    </div>
  );
}
