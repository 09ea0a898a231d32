import { offerPasskeys } from '#session/passkeys.ts';

/** On the issuer's pages that take a passkey: the buttons that ask the browser for it. */
const hasPasskeys = typeof PublicKeyCredential === 'function';
offerPasskeys({ document, credentials: hasPasskeys ? navigator.credentials : undefined });
