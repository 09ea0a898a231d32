import type { RemoteFile } from '../files/remote-file.ts';
import { html, nothing } from '#base/html.ts';
import { isolated } from '#base/unicode.ts';
import type { Html } from '#base/html.ts';
import { translate } from '#text/say.ts';
import type { MailLanguage } from '#text/say.ts';
import type { Platform } from '#rules/platform.ts';
import type { DownloadPage } from './document.ts';
import {
  buttonTo,
  checksumOf,
  codeOf,
  failedBox,
  headOf,
  hostOf,
  notesOf,
  withSize,
} from './parts.ts';
import { iconOf, platformPicture } from './platform-picture.ts';
import type { PageContext } from './to-project.ts';
import { linkToProject } from './to-project.ts';

/** A file of a product: what was published, or one that members reach by its record. */
export interface ShownFile {
  /** Our own address of it. */
  readonly link: string;
  readonly type: string;
  /** What it is called: the project, of a member's file its own name. */
  readonly name: string;
  /** The kind of product that it was published as; null: a member's file. */
  readonly definition: string | null;
  readonly platform: Platform | 'file';
  /** The address of the app's icon; null: it has none, or none at hand. */
  readonly icon: string | null;
  readonly product: string;
  readonly sizeBytes: number | null;
  /** In lower-case hexadecimal; null: not known. */
  readonly sha256: string | null;
  readonly releaseVersion: string | null;
  readonly releaseNotes: string | null;
  readonly publishedAt: string | null;
  /** Null: the file is here. */
  readonly away: RemoteFile | null;
  /** The site that it was published as; null: there is none. */
  readonly site: { readonly url: string; readonly host: string } | null;
}

/** `/downloads/products/{id}/files/published/{type}` (requirements 2.14). */
export function filePage(
  file: ShownFile,
  ours: MailLanguage,
  { address, isForEveryone, publisher, projectPath }: PageContext,
): DownloadPage {
  const { name, definition, type, releaseNotes } = file;
  const heading = html`<h1><bdi>${name}</bdi></h1>`;
  const picture =
    file.icon === null ? platformPicture(file.platform) : iconOf(file.product, file.icon);
  const head = { ...file, heading, picture, publisher };
  const main = html`<main class="${address === null ? '' : 'with-code'}">
    ${headOf(ours, head)} ${buttonsOf(file, ours)} ${failedBox(ours)} ${notesOf(ours, releaseNotes)}
    ${checksumOf(ours, file.sha256)} ${linkToProject(ours, projectPath)} ${codeOf(ours, address)}
  </main>`;
  return {
    language: ours,
    ours,
    title: name,
    description: [name, ...(definition === null ? [] : [definition])]
      .map(isolated)
      .concat(type.toUpperCase())
      .join(' · '),
    color: null,
    main,
    languages: [],
    readers: isForEveryone ? 'everyone' : 'one',
  };
}

/** The way to the site, where there is one, before that to its file. */
function buttonsOf(file: ShownFile, ours: MailLanguage): Html {
  const { site, type, platform, away, link, sizeBytes } = file;
  const words = translate(ours, platform === 'android' ? 'site.download' : 'downloads.file');
  const label = withSize(html`${words}`, sizeBytes, ours);
  const text = html`${label}<small>${type.toUpperCase()}</small>`;
  const toSite =
    site === null
      ? nothing
      : html`<a class="button" href="${site.url}" rel="noreferrer"
            >${translate(ours, 'downloads.openSite')}</a
          >
          ${hostOf(ours, site, 'downloads.siteAway')}`;
  return html`${toSite} ${buttonTo(link, away, text, site === null ? 'button' : 'plain')}
  ${hostOf(ours, away)}`;
}
