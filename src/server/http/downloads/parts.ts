import type { RemoteFile } from '../files/remote-file.ts';
import { html, nothing } from '#base/html.ts';
import { directionOf } from '#base/language-tag.ts';
import type { Html } from '#base/html.ts';
import { translate } from '#text/say.ts';
import type { MailLanguage, MailTextKey } from '#text/say.ts';
import { qrCode } from './qr.ts';

interface Facts {
  /** The name of the version; null: it was not given. */
  readonly releaseVersion: string | null;
  /** It is left out where it stands somewhere else. */
  readonly size?: string;
  /** The time in ISO form; null: not known. */
  readonly publishedAt: string | null;
}

/** Returns version, size and day, in a line. */
export function factsOf(ours: MailLanguage, { releaseVersion, size, publishedAt }: Facts): Html {
  const version =
    releaseVersion === null
      ? nothing
      : html`<span>${around(ours, 'downloads.version', 'version', releaseVersion)}</span>`;
  return html`<p class="facts" lang="${ours}" dir="ltr">
    ${version}${size === undefined ? nothing : html`<span>${size}</span>`}${publishedAt === null ? nothing : dayOf(ours, publishedAt)}
  </p>`;
}

/** Our text around a value of others, which keeps its own direction. */
function around(ours: MailLanguage, key: MailTextKey, name: string, value: string): Html {
  const [before = '', after = ''] = translate(ours, key).split(`{{${name}}}`);
  return html`${before}<bdi>${value}</bdi>${after}`;
}

/** Says what is new, as plain text: strangers would trust links in it. */
export const notesOf = (ours: MailLanguage, notes: string | null): Html =>
  notes === null
    ? nothing
    : html`<section>
        <h2 lang="${ours}" dir="${directionOf(ours)}">${translate(ours, 'downloads.notes')}</h2>
        <p class="text" dir="auto">${notes}</p>
      </section>`;

/** The code of the page at `address`, to go on with on a phone; narrow pages hide it. */
export const codeOf = (ours: MailLanguage, address: string | null): Html =>
  address === null
    ? nothing
    : html`<div class="code" lang="${ours}" dir="ltr">
        ${qrCode(address, translate(ours, 'downloads.code'))} ${translate(ours, 'downloads.scan')}
      </div>`;

function dayOf(ours: MailLanguage, at: string): Html {
  const day = new Intl.DateTimeFormat(ours, { dateStyle: 'long', timeZone: 'UTC' });
  return html`<time datetime="${at}">${day.format(new Date(at))}</time>`;
}

/** A button to the file by `link`; by its own address where ours would lead back to this page. */
export const buttonTo = (link: string, remoteFile: RemoteFile | null, text: Html): Html =>
  remoteFile === null || remoteFile.isOfEngine
    ? html`<a class="button" href="${link}" data-file>${text}</a>`
    : html`<a class="button" href="${remoteFile.url}" rel="noreferrer">${text}</a>`;

/** Says on whose host the file lies, before anybody leaves for it. */
export const hostOf = (ours: MailLanguage, remoteFile: RemoteFile | null): Html =>
  remoteFile === null
    ? nothing
    : html`<p class="help" lang="${ours}" dir="ltr">
        ${around(ours, 'downloads.away', 'host', remoteFile.host)}
      </p>`;

/** Says that a download, which a member asks for by their token, did not begin. */
export const failedBox = (ours: MailLanguage): Html =>
  html`<p class="failed" role="alert" lang="${ours}" dir="ltr" data-failed hidden>
    ${translate(ours, 'downloads.failed')}
  </p>`;
