import type { BrowserContextOptions } from '@playwright/test';
import { paths } from '#protocol/paths.ts';
import type { PublicConfig } from '#protocol/paths.ts';
import { signInByForm } from '../support/sign-in.ts';
import { PASSWORD } from './people.ts';

type StorageState = Exclude<BrowserContextOptions['storageState'], string | undefined>;

interface Site {
  /** Where browsers go. */
  readonly url: string;
  /** Where this process goes; `url` unless there is a proxy in between. */
  readonly serverUrl?: string;
}

/** Signs `email` in and returns what a browser keeps of that. Each call makes a session of its own. */
export async function storageStateOf(
  { url, serverUrl = url }: Site,
  email: string,
): Promise<StorageState> {
  const answer = await fetch(`${serverUrl}${paths.config}`);
  const config = await answer.text();
  const { auth } = JSON.parse(config) as PublicConfig;
  const tokens = await signInByForm(serverUrl, email, PASSWORD, { auth });
  const kept = {
    'slipway.config': config,
    [`oidc.user:${auth.issuer}:${auth.clientId}`]: JSON.stringify({
      ...tokens,
      expires_at: Math.floor(Date.now() / 1_000) + tokens.expires_in,
    }),
  };
  const localStorage = Object.entries(kept).map(([name, value]) => ({ name, value }));
  return { cookies: [], origins: [{ origin: url, localStorage }] };
}
