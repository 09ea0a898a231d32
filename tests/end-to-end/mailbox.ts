import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { World } from './world.ts';

/** Waits for the newest mail to `address` that has a link whose path begins with `path`, and returns that. */
export async function mailedLink(world: World, address: string, path: string): Promise<string> {
  const wanted = () =>
    mailsOf(world)
      .filter(({ to }) => to === address)
      .flatMap(({ links }) => links)
      .find((link) => new URL(link).pathname.startsWith(path));
  // When it does not come, the failure lists what did.
  await expect
    .poll(() => wanted() ?? mailsOf(world), { message: `no mail to ${address}` })
    .toContain(path);
  return wanted() ?? '';
}

interface MailFile {
  readonly to: string | undefined;
  readonly links: readonly string[];
}

/** The mails that the server has sent, the newest first. */
function mailsOf({ parts }: World): MailFile[] {
  const folder = join(parts.config.dataDir, 'mail');
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .reverse()
    .map((name) => plain(readFileSync(join(folder, name), 'utf8')))
    .map((mail) => ({ to: /^To: (.*?)\r?$/m.exec(mail)?.[1], links: linksIn(mail) }));
}

/** The text of a mail whose lines were broken for the way. */
function plain(mail: string): string {
  return mail
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
}

function linksIn(mail: string): string[] {
  return [...mail.matchAll(/https?:\/\/[^\s"<>]+/g)]
    .map(([link]) => link.replaceAll('&amp;', '&'))
    .filter((link) => URL.canParse(link));
}
