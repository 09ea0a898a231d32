import { html } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import type { MailTextKey } from '#text/say.ts';

type Say = (key: MailTextKey) => string;

/**
 * Returns the button by which a passkey takes the place of a code. It is hidden until its script
 * runs, which writes into the field `passkey` (`src/session/passkeys.ts`).
 *
 * @param options what the browser needs, as JSON
 * @param isFirst it stands above the fields, as what is asked for first
 */
export function passkeyButton(say: Say, options: string, isFirst: boolean): Html {
  return html`<input type="hidden" name="passkey" value="" />
    <div
      class="${isFirst ? 'passkey first' : 'passkey'}"
      data-passkey="get"
      data-options="${options}"
      data-failed="${say('identity.passkey.failed')}"
      hidden
    >
      <button type="button">${say('identity.passkey.use')}</button>
      <p class="error" role="alert" hidden></p>
    </div>`;
}

/** Returns the button that has the browser make a passkey, and what is said where it cannot. */
export function newPasskeyButton(say: Say, options: string): Html {
  return html`<input type="hidden" name="new_passkey" value="" />
    <div
      class="passkey first"
      data-passkey="create"
      data-options="${options}"
      data-failed="${say('identity.passkey.notMade')}"
      data-exists="${say('identity.passkey.exists')}"
      hidden
    >
      <button type="button">${say('identity.passkey.create')}</button>
      <p class="error" role="alert" hidden></p>
    </div>
    <p class="error notice" data-without-passkeys>${say('identity.passkey.unsupported')}</p>`;
}
