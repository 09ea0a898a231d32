import { sizeOf } from '#base/file-size.ts';
import type { RemoteFile } from '../files/remote-file.ts';
import { html, nothing } from '#base/html.ts';
import { directionOf } from '#base/language-tag.ts';
import type { Html } from '#base/html.ts';
import { translate } from '#text/say.ts';
import type { MailLanguage, MailTextKey } from '#text/say.ts';
import { qrCode } from './qr.ts';

interface Headed {
  readonly picture: Html;
  /** The heading: what it is called. */
  readonly heading: Html;
  /** The name of the organization that it is of; null: it is not said. */
  readonly publisher: string | null;
  /** The name of the version; null: it was not given. */
  readonly releaseVersion: string | null;
  /** The time in ISO form; null: not known. */
  readonly publishedAt: string | null;
}

/** Returns what it is, whose, and which version of which day. */
export function headOf(ours: MailLanguage, head: Headed): Html {
  const { picture, heading, publisher, releaseVersion, publishedAt } = head;
  const publishedBy =
    publisher === null
      ? nothing
      : html`<p class="publisher" lang="${ours}" dir="ltr">
          ${around(ours, 'downloads.publisher', 'organization', publisher)}
        </p>`;
  const version =
    releaseVersion === null
      ? nothing
      : html`<span>${around(ours, 'downloads.version', 'version', releaseVersion)}</span>`;
  return html`<div class="app">
    ${picture}
    <div>
      ${heading} ${publishedBy}
      <p class="facts" lang="${ours}" dir="ltr">
        ${version}${publishedAt === null ? nothing : dayOf(ours, publishedAt)}
      </p>
    </div>
  </div>`;
}

/** The text of a button, with the size of what it brings where that is known. */
export const withSize = (text: Html, sizeBytes: number | null, ours: MailLanguage): Html =>
  sizeBytes === null || sizeBytes < 1
    ? text
    : html`${text} · <span lang="${ours}" dir="ltr">${sizeOf(sizeBytes, ours)}</span>`;

/** Lets a long word break, also where the page came without its style; copied it is as it was. */
const breakable = (word: string): readonly Html[] =>
  (word.match(/.{1,16}/g) ?? []).map((part) => html`${part}<wbr />`);

/** The checksum to compare with, whole; one click marks all of it. */
export const checksumOf = (ours: MailLanguage, sha256: string | null): Html =>
  sha256 === null
    ? nothing
    : html`<dl lang="${ours}" dir="ltr">
        <dt>${translate(ours, 'downloads.checksum')}</dt>
        <dd><code>${breakable(sha256)}</code></dd>
      </dl>`;

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
export const buttonTo = (
  link: string,
  remoteFile: RemoteFile | null,
  text: Html,
  look: 'button' | 'plain' = 'button',
): Html =>
  remoteFile === null || remoteFile.isOfEngine
    ? html`<a class="${look}" href="${link}" data-file>${text}</a>`
    : html`<a class="${look}" href="${remoteFile.url}" rel="noreferrer">${text}</a>`;

/** Says on whose host a file or a site is, before anybody leaves for it. */
export const hostOf = (
  ours: MailLanguage,
  away: { readonly host: string } | null,
  key: 'downloads.away' | 'downloads.siteAway' = 'downloads.away',
): Html =>
  away === null
    ? nothing
    : html`<p class="help" lang="${ours}" dir="ltr">${around(ours, key, 'host', away.host)}</p>`;

/** Says that a download, which a member asks for by their token, did not begin. */
export const failedBox = (ours: MailLanguage): Html =>
  html`<p class="failed" role="alert" lang="${ours}" dir="ltr" data-failed hidden>
    ${translate(ours, 'downloads.failed')}
  </p>`;
