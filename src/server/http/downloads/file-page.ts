import { sizeOf } from '#base/file-size.ts';
import type { RemoteFile } from '../files/remote-file.ts';
import { html } from '#base/html.ts';
import { isolated } from '#base/unicode.ts';
import { translate } from '#text/say.ts';
import type { MailLanguage } from '#text/say.ts';
import type { DownloadPage } from './document.ts';
import { buttonTo, codeOf, factsOf, failedBox, hostOf, notesOf } from './parts.ts';
import type { PageContext } from './to-project.ts';
import { linkToProject } from './to-project.ts';

/** A file, with the project or product that it belongs to. */
export interface ShownFile {
  /** Our own address of it. */
  readonly link: string;
  readonly type: string;
  /** What it belongs to, from the widest; of a member's file its own name. */
  readonly names: readonly string[];
  readonly sizeBytes: number | null;
  readonly releaseVersion: string | null;
  readonly releaseNotes: string | null;
  readonly publishedAt: string | null;
  /** Null: the file is here. */
  readonly away: RemoteFile | null;
}

/** `/downloads/products/{id}/files/published/{type}` (requirements 2.14). */
export function filePage(
  file: ShownFile,
  ours: MailLanguage,
  { address, isForEveryone, projectPath }: PageContext,
): DownloadPage {
  const size = sizeOf(file.sizeBytes, ours);
  const title = translate(ours, 'downloads.title');
  const names = file.names.map((name, i) => html`${i === 0 ? '' : ' – '}<bdi>${name}</bdi>`);
  const main = html`<main class="${address === null ? '' : 'with-code'}">
    <h1>${title}</h1>
    <p class="name">${names}</p>
    ${buttonTo(file.link, file.away, html`${file.type.toUpperCase()} (${size})`)}
    ${hostOf(ours, file.away)} ${failedBox(ours)} ${factsOf(ours, file)}
    ${notesOf(ours, file.releaseNotes)} ${linkToProject(ours, projectPath)} ${codeOf(ours, address)}
  </main>`;
  const name = file.names.map(isolated).join(' – ');
  const description = `${name} · ${file.type.toUpperCase()}`;
  return {
    language: ours,
    ours,
    title: `${title}: ${name}`,
    description,
    color: null,
    main,
    languages: [],
    readers: isForEveryone ? 'everyone' : 'one',
  };
}
