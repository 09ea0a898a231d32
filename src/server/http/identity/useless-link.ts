import type { Visit } from './form.ts';
import { html } from '#base/html.ts';

/** Answers a link of a mail that was used, replaced, or is too old. */
export function uselessLink(visit: Visit): Promise<void> {
  return visit.show(
    'identity.link.title',
    html`<p>${visit.say('identity.link.text')}</p>
      <p><a class="button" href="/login">${visit.say('identity.again')}</a></p>`,
    { status: 410 },
  );
}
