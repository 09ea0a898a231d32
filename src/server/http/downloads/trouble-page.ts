import { html } from '#base/html.ts';
import { translate } from '#text/say.ts';
import type { MailLanguage } from '#text/say.ts';
import type { DownloadPage } from './document.ts';

/** The page in place of a file that this reader may not see, whatever the reason. */
export function missingPage(ours: MailLanguage): DownloadPage {
  const title = translate(ours, 'downloads.missingTitle');
  const text = translate(ours, 'downloads.missing');
  const main = html`<main>
    <div
      class="waits"
      aria-busy="true"
      aria-label="${translate(ours, 'common.loading')}"
      role="status"
    >
      <span></span><span></span><span></span><span></span>
    </div>
    <div class="answer">
      <h1>${title}</h1>
      <p class="name">${text}</p>
    </div>
  </main>`;
  return { ...troubleIn(ours, title, text), main, readers: 'members' };
}

/** The page while there is no answer, but may be one later. */
export function laterPage(ours: MailLanguage, address: string): DownloadPage {
  const title = translate(ours, 'downloads.laterTitle');
  const text = translate(ours, 'downloads.later');
  const main = html`<main>
    <h1>${title}</h1>
    <p class="name">${text}</p>
    <a class="plain" href="${address}">${translate(ours, 'common.tryAgain')}</a>
  </main>`;
  return { ...troubleIn(ours, title, text), main, readers: 'one' };
}

const troubleIn = (ours: MailLanguage, title: string, description: string) =>
  ({ language: ours, ours, title, description, color: null, languages: [] }) as const;
