import { html, nothing } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import type { MailTextKey } from '#text/say.ts';

/**
 * Returns the button that shows what is typed in a password field; nothing at other fields. It is
 * hidden until its script runs (`src/session/password-form.ts`).
 *
 * @param name what the field is called
 * @param type the type of the field
 */
export function showButton(say: (key: MailTextKey) => string, name: string, type: string): Html {
  if (type !== 'password') return nothing;
  return html`<button
    type="button"
    title="${say('identity.password.show')}"
    aria-pressed="false"
    aria-controls="${name}"
    data-shows="${name}"
    hidden
  >
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d="M2 12s3.5-7 10-7 10 7 10 7-3.5 7-10 7-10-7-10-7z" />
      <circle cx="12" cy="12" r="3" />
      <path class="slash" d="M4 4l16 16" />
    </svg>
  </button>`;
}
