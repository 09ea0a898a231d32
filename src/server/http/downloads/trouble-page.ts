import { html } from '#base/html.ts';
import { say } from '#text/say.ts';
import type { Language } from '#text/say.ts';
import type { Page } from './document.ts';

/** In place of a file that this reader is not shown, whatever the reason. */
export function missingPage(ours: Language): Page {
  const title = say(ours, 'downloads.missingTitle');
  const text = say(ours, 'downloads.missing');
  const main = html`<main>
    <div class="waits" aria-busy="true" aria-label="${say(ours, 'common.loading')}" role="status">
      <span></span><span></span><span></span><span></span>
    </div>
    <div class="answer">
      <h1>${title}</h1>
      <p class="name">${text}</p>
    </div>
  </main>`;
  return { ...troubleIn(ours, title, text), main, mayBeMembers: true };
}

/** While there is no answer, but may be one later. */
export function laterPage(ours: Language, address: string): Page {
  const title = say(ours, 'downloads.laterTitle');
  const text = say(ours, 'downloads.later');
  const main = html`<main>
    <h1>${title}</h1>
    <p class="name">${text}</p>
    <a class="plain" href="${address}">${say(ours, 'common.tryAgain')}</a>
  </main>`;
  return { ...troubleIn(ours, title, text), main, mayBeMembers: false };
}

const troubleIn = (ours: Language, title: string, description: string) =>
  ({ language: ours, ours, title, description, color: null, languages: [] }) as const;
