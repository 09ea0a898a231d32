import { sizeOf } from '#base/file-size.ts';
import type { RemoteFile } from '../files/remote-file.ts';
import { html } from '#base/html.ts';
import { translate } from '#text/say.ts';
import type { MailLanguage } from '#text/say.ts';
import type { DownloadPage } from './document.ts';
import { buttonTo, factsOf, failedBox, hostOf } from './parts.ts';

/** A file, with the project or product that it belongs to. */
export interface ShownFile {
  /** Our own address of it. */
  readonly link: string;
  readonly type: string;
  readonly name: string;
  readonly sizeBytes: number | null;
  readonly versionBuilt: string | null;
  readonly publishedAt: string | null;
  /** Null: the file is here. */
  readonly away: RemoteFile | null;
}

/** `/downloads/products/{id}/files/published/{type}` (requirements 2.14). */
export function filePage(file: ShownFile, ours: MailLanguage): DownloadPage {
  const size = sizeOf(file.sizeBytes, ours);
  const title = translate(ours, 'downloads.title');
  const main = html`<main>
    <h1>${title}</h1>
    <p class="name"><bdi>${file.name}</bdi></p>
    ${buttonTo(file.link, file.away, html`${file.type.toUpperCase()} (${size})`)}
    ${hostOf(ours, file.away)} ${failedBox(ours)} ${factsOf(ours, file)}
  </main>`;
  const description = `${file.name} · ${file.type.toUpperCase()}`;
  return {
    language: ours,
    ours,
    title: `${title}: ${file.name}`,
    description,
    color: null,
    main,
    languages: [],
    mayBeMembers: false,
  };
}
