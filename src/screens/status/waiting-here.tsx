import { useChanges, DataContext } from '#data/react/hooks.ts';
import { useSession } from '#session/sign-in.tsx';
import { Button } from '#ui/form/controls.tsx';
import { RelativeTime } from '#ui/value/values.tsx';
import { Slices } from '#ui/table/slices.tsx';
import { useText } from '#ui/text/text.ts';
import { textOfAll } from '../changes/lost-groups.tsx';
import { useReadable } from '../changes/readable.ts';
import { saveAsFile } from '../changes/save-as-file.ts';
import { useDataOf } from '../app/page/device/data-opener.ts';
import { recordMark } from '../app/page/changes/record-badge.tsx';

const LINE_PX = 44;

/**
 * Shows which of the person's changes wait on this device while the server answers them nothing.
 */
export function WaitingHere() {
  const { userId } = useSession();
  return userId === null ? null : <WaitingOf userId={userId} />;
}

function WaitingOf({ userId }: { readonly userId: string }) {
  return (
    <DataContext.Provider value={useDataOf(userId)}>
      <Waiting />
    </DataContext.Provider>
  );
}

function Waiting() {
  const t = useText();
  const { sentence } = useReadable();
  const { waiting, attention, rows, exportText } = useChanges();
  if (waiting + attention === 0) return null;
  const open = rows.filter(({ state }) => state !== 'done');
  const label = t('sync.waiting', { count: open.length });
  return (
    <section className="waiting-here">
      <p>
        <strong>{label}</strong>
      </p>
      <div className="waiting-list">
        <Slices rows={open} label={label} rowPx={LINE_PX}>
          {({ id, says, about, madeAt }) => (
            <div key={id} role="listitem" dir="auto" data-record={recordMark(about.type, about.id)}>
              {sentence(says)}{' '}
              <span className="caption">
                · <RelativeTime at={madeAt} />
              </span>
            </div>
          )}
        </Slices>
      </div>
      <Button
        onClick={() => {
          saveAsFile('slipway-changes.json', textOfAll(open, exportText));
        }}
      >
        {t('changes.exportAll')}
      </Button>
    </section>
  );
}
