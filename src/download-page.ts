import { showAsMember } from '#session/as-member.ts';
import { restoreSession } from '#session/environment.ts';
import { browserTokens } from '#session/token.ts';

/** On download pages that show nothing to strangers, for who is signed in here. */
const start = () =>
  showAsMember({
    document,
    address: location.href,
    accessToken: async () => {
      await restoreSession();
      return browserTokens().accessToken();
    },
    fetch: (address, request) => fetch(address, request),
    addressOf: (bytes) => URL.createObjectURL(bytes),
    leaveFor: (address) => {
      location.assign(address);
    },
  });

void start();
