import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { ProblemError } from '#protocol/problem.ts';
import { editProfile } from '#data/actions/users.ts';
import { NotSavedError } from '#data/model/change.ts';
import { useData, useViewer } from '#data/react/hooks.ts';
import { readSetting, useUiEnvironment, writeSetting } from '#ui/ui-environment.tsx';
import { TimeZoneContext } from '#ui/value/values.tsx';

const SENT_KEY = 'slipway.timezone-sent';

/** Dates below are in the viewer's zone; whoever has none yet gets that of this device. */
export function ViewerTimeZone({ children }: { readonly children: ReactNode }) {
  const { user } = useViewer();
  useFirstTimeZone();
  return <TimeZoneContext.Provider value={user.timezone}>{children}</TimeZoneContext.Provider>;
}

/**
 * Sends the zone of this device once, at the first sign-in (domain 9.1). A record that was changed
 * since it was made may have lost its zone on purpose, and gets none.
 */
function useFirstTimeZone(): void {
  const data = useData();
  const { user } = useViewer();
  const { storage, timeZone } = useUiEnvironment();
  const isNew = user.timezone === null && user.dateUpdated === user.dateCreated;
  useEffect(() => {
    // What was sent and then refused or discarded is not sent again.
    if (!isNew || readSetting(storage, SENT_KEY) === user.id) return;
    writeSetting(storage, SENT_KEY, user.id);
    editProfile(data, user, { timezone: timeZone }).catch((error: unknown) => {
      // Nobody asked for it, so nobody is told that this device cannot keep it or knows no name.
      if (!(error instanceof NotSavedError || error instanceof ProblemError)) throw error;
    });
  }, [data, isNew, storage, timeZone, user]);
}
