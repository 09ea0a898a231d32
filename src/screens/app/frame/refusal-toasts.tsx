import { useContext, useEffect, useRef, useState } from 'react';
import { useChanges, useData } from '#data/react/hooks.ts';
import type { ChangeRow } from '#data/model/views.ts';
import { useCloseToasts } from '#ui/overlay/toasts.tsx';
import { ChangesContext } from '../page/changes/changes-context.ts';
import { LatePart, loadWithTexts } from '../page/late/late-part.tsx';

/** The subject of these toasts. */
const CHANGES = 'changes';

const TOLD: ReadonlySet<ChangeRow['state']> = new Set(['refused', 'conflict', 'confirm']);

/** Brings the words: hardly any visit needs them. */
export const loadAnnouncer = loadWithTexts(
  async () => (await import('./refusal-announcer.ts')).RefusalAnnouncer,
);

/**
 * Says by a toast that a change needs the person, as soon as it does: what, why, and where; until the
 * panel, where all of them stand, is open.
 */
export function RefusalToasts({ isPanelOpen }: { readonly isPanelOpen: boolean }) {
  const close = useCloseToasts();
  const { changes } = useData();
  const { attention } = useChanges();
  const { answered } = useContext(ChangesContext);
  const known = useRef<ReadonlySet<string> | null>(null);
  const unannounced = useRef<ChangeRow[]>([]);
  const [times, setTimes] = useState(0);

  useEffect(() => {
    if (!isPanelOpen) return;
    unannounced.current = [];
    close(CHANGES);
  }, [isPanelOpen, close]);

  useEffect(() => {
    // Rows are read only when one has come or gone: there may be ten thousand of them.
    const needy = attention === 0 ? [] : changes.view().rows.filter(({ state }) => TOLD.has(state));
    const before = known.current;
    known.current = new Set(needy.map(({ id }) => id));
    // Changes that were there already when the page came are shown by the line under the header.
    if (before === null) return;
    const fresh = needy.filter(
      ({ id, says, about }) =>
        !before.has(id) && !answered.has(id) && !answered.has(`${says[0]} ${about.id}`),
    );
    if (fresh.length === 0) return;
    unannounced.current.push(...fresh);
    setTimes((before) => before + 1);
  }, [attention, changes, answered]);

  if (times === 0) return null;
  // Without its script the status element still says that changes need the person.
  return (
    <LatePart
      load={loadAnnouncer}
      props={{ about: CHANGES, unannounced, times }}
      frame={() => null}
    />
  );
}
