import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import english from '#text/en-US.json' with { type: 'json' };
import { translate } from '#text/say.ts';
import type { MailTextKey } from '#text/say.ts';
import type { World } from './world.ts';

/** Waits for the newest mail to `address` that has a link that begins with `path`, and returns that. */
export function mailedLink({ parts }: World, address: string, path: string): Promise<string> {
  return mailedLinkIn(parts.config.dataDir, address, path);
}

/** As `mailedLink`, of the server whose files are in `dataDir`. */
export async function mailedLinkIn(
  dataDir: string,
  address: string,
  path: string,
): Promise<string> {
  const wanted = () =>
    mailsIn(dataDir)
      .filter(({ to }) => to === address)
      .flatMap(({ links }) => links)
      .find((link) => {
        const { pathname, search } = new URL(link);
        return `${pathname}${search}`.startsWith(path);
      });
  // When it does not come, the failure lists what did.
  await expect
    .poll(() => wanted() ?? mailsIn(dataDir), { message: `no mail to ${address}` })
    .toContain(path);
  return wanted() ?? '';
}

interface MailFile {
  readonly to: string | undefined;
  readonly links: readonly string[];
  /** Its template, by what it says in English; null in another language. */
  readonly kind: string | null;
}

/** The name of every template, by its text. */
export const MAIL_KINDS = Object.keys(english).flatMap((key) => {
  const [, kind] = /^mail\.(\w+)\.body$/.exec(key) ?? [];
  return kind === undefined ? [] : [kind];
});

/** The mails that the server has sent, the newest first. */
export const mailsOf = ({ parts }: World): MailFile[] => mailsIn(parts.config.dataDir);

/** The mails that a server has sent, the newest first. */
function mailsIn(dataDir: string): MailFile[] {
  const folder = join(dataDir, 'mail');
  return (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.eml'))
    .sort()
    .reverse()
    .map((name) => plain(readFileSync(join(folder, name), 'utf8')))
    .map((mail) => ({
      to: /^To: (.*?)\r?$/m.exec(mail)?.[1],
      links: linksIn(mail),
      kind: MAIL_KINDS.find((kind) => saysOf(kind).test(mail.replaceAll('\r', ''))) ?? null,
    }));
}

/** What a mail of that kind says, whatever its values are. */
function saysOf(kind: string): RegExp {
  const body = translate('en-US', `mail.${kind}.body` as MailTextKey);
  const parts = body.split(/\{\{\s*\w+\s*\}\}/).map((part) =>
    part
      .split('\n')
      .map((line) => line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('\\n+'),
  );
  return new RegExp(`^${parts.join('[^]*?')}$`, 'm');
}

/** The text of a mail whose lines were broken, and its characters written as bytes, for the way. */
function plain(mail: string): string {
  return mail
    .replace(/=\r?\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (bytes) =>
      Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'),
    );
}

function linksIn(mail: string): string[] {
  return [...mail.matchAll(/https?:\/\/[^\s"<>]+/g)]
    .map(([link]) => link.replaceAll('&amp;', '&'))
    .filter((link) => URL.canParse(link));
}
