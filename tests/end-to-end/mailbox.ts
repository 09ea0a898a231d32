import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { World } from './world.ts';

/** Waits for the newest mail to `address` that has a link whose path begins with `path`, and returns that. */
export async function mailedLink({ parts }: World, address: string, path: string): Promise<string> {
  const folder = join(parts.config.dataDir, 'mail');
  const newest = () =>
    (existsSync(folder) ? readdirSync(folder) : [])
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .reverse()
      .map((name) => plain(readFileSync(join(folder, name), 'utf8')))
      .filter((mail) => mail.includes(`To: ${address}`))
      .map((mail) => linksIn(mail).find((link) => new URL(link).pathname.startsWith(path)))
      .find((link) => link !== undefined);
  await expect.poll(newest).toBeDefined();
  return newest() ?? '';
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
