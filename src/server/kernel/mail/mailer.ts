import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import type { SendMailOptions } from 'nodemailer';
import { newId } from '#base/id.ts';
import type { Clock, Random } from '#base/id.ts';
import type { Config } from '../config.ts';
import { renderMail } from './mail-templates.ts';
import type { Mail } from './mail-templates.ts';

/** Sends mail; only the settings decide the way. */
export interface Mailer {
  /** Resolves once the mail is handed over; rejects when the mail server does not take it. */
  send(mail: Mail): Promise<void>;
  /** Mail kept as files is removed a day after it was written: its links open accounts. */
  forget(): Promise<void>;
  close(): void;
}

/** Sends over SMTP with `SMTP_URL`, else into `DATA_DIR/mail` as one `.eml` file each. */
export function openMailer(config: Config, clock: Clock, random: Random): Mailer {
  const { smtpUrl } = config.mail;
  return smtpUrl === null ? fileMailer(config, clock, random) : smtpMailer(config, smtpUrl, clock);
}

function smtpMailer({ mail }: Config, url: string, clock: Clock): Mailer {
  const transport = nodemailer.createTransport(url);
  return {
    send: async (letter) => {
      await transport.sendMail(messageOf(letter, mail.from, clock));
    },
    forget: () => Promise.resolve(),
    close: () => {
      transport.close();
    },
  };
}

/** Files are named in the order of sending; each appears complete. */
function fileMailer({ dataDir, mail }: Config, clock: Clock, random: Random): Mailer {
  const transport = nodemailer.createTransport({ streamTransport: true, buffer: true });
  const folder = join(dataDir, 'mail');
  return {
    send: async (letter) => {
      const { message } = await transport.sendMail(messageOf(letter, mail.from, clock));
      const path = join(folder, `${newId(clock, random)}.eml`);
      await mkdir(folder, { recursive: true });
      await writeFile(`${path}.part`, message);
      await rename(`${path}.part`, path);
      await forgetBefore(folder, clock() - KEPT_MS);
    },
    forget: () => forgetBefore(folder, clock() - KEPT_MS),
    close: () => {
      transport.close();
    },
  };
}

const KEPT_MS = 86_400_000;

/**
 * Removes old files. The moment of writing is in a file's name; a file with another name is not
 * ours.
 */
async function forgetBefore(folder: string, at: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const old = names.filter((name) => {
    const written = Number.parseInt(name.slice(0, 13).replace('-', ''), 16);
    return /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}\.eml(\.part)?$/.test(name) && written <= at;
  });
  for (const name of old) await rm(join(folder, name), { force: true });
}

function messageOf(mail: Mail, from: string, clock: Clock): SendMailOptions {
  // An address is never parsed again: a name that looks like one must not add a reader.
  const to = { name: '', address: mail.to };
  const date = new Date(clock());
  const { replyTo } = mail;
  const answers = replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } };
  return { from, to, ...answers, date, disableUrlAccess: true, ...renderMail(mail) };
}
