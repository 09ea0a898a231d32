import { improvePasswordForm } from '#session/password-form.ts';

/** On the issuer's pages that take a password: the buttons that show it, and accounts of a demo. */
improvePasswordForm(document);
