import { escapeHtml, say } from '../language.ts';
import type { Language, TextKey } from '../language.ts';

/** Every mail and what it has to be told. `link` is absolute; `until` is an instant. */
interface Letters {
  readonly emailVerification: { readonly link: string };
  readonly passwordReset: { readonly link: string };
  readonly membershipInvite: {
    readonly organization: string;
    readonly inviter: string;
    readonly link: string;
    readonly until: string;
  };
  readonly organizationInvite: { readonly link: string; readonly until: string };
  readonly rejection: {
    readonly organization: string;
    readonly project: string;
    readonly product: string;
    readonly from: string;
    readonly to: string;
    readonly who: string;
    readonly comment: string;
    readonly link: string;
  };
  readonly organizationInviteRequest: {
    readonly name: string;
    readonly email: string;
    readonly websiteUrl: string;
    readonly link: string;
  };
}

type Template = keyof Letters;

export type Letter = {
  readonly [T in Template]: {
    readonly to: string;
    readonly language: Language;
    readonly template: T;
    readonly values: Letters[T];
  };
}[Template];

export interface WrittenLetter {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Keys {
  readonly subject: TextKey;
  readonly body: TextKey;
  readonly action: TextKey;
}

const keys: Readonly<Record<Template, Keys>> = {
  emailVerification: {
    subject: 'mail.emailVerification.subject',
    body: 'mail.emailVerification.body',
    action: 'mail.emailVerification.action',
  },
  passwordReset: {
    subject: 'mail.passwordReset.subject',
    body: 'mail.passwordReset.body',
    action: 'mail.passwordReset.action',
  },
  membershipInvite: {
    subject: 'mail.membershipInvite.subject',
    body: 'mail.membershipInvite.body',
    action: 'mail.membershipInvite.action',
  },
  organizationInvite: {
    subject: 'mail.organizationInvite.subject',
    body: 'mail.organizationInvite.body',
    action: 'mail.organizationInvite.action',
  },
  rejection: {
    subject: 'mail.rejection.subject',
    body: 'mail.rejection.body',
    action: 'mail.rejection.action',
  },
  organizationInviteRequest: {
    subject: 'mail.organizationInviteRequest.subject',
    body: 'mail.organizationInviteRequest.body',
    action: 'mail.organizationInviteRequest.action',
  },
};

/** `letter` in its reader's language, as plain text and as simple HTML with every value escaped. */
export function write({ language, template, values }: Letter): WrittenLetter {
  const told = readable(values, language);
  const safe = Object.fromEntries(
    Object.entries(told).map(([name, value]) => [name, escapeHtml(value)]),
  );
  const { subject, body, action } = keys[template];
  const paragraphs = say(language, body, safe)
    .split('\n')
    .map((paragraph) => `<p>${paragraph}</p>`);

  return {
    subject: say(language, subject, told).replace(/\s+/g, ' '),
    text: `${say(language, body, told).split('\n').join('\n\n')}\n\n${values.link}\n`,
    html: [
      `<!doctype html><html lang="${language}"><body>`,
      ...paragraphs,
      `<p><a href="${escapeHtml(values.link)}">${escapeHtml(say(language, action))}</a></p>`,
      '</body></html>',
    ].join('\n'),
  };
}

/** Instants become what people read; all else is text already. */
function readable(values: Letters[Template], language: Language): Record<string, string> {
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return Object.fromEntries(
    Object.entries<string>({ ...values }).map(([name, value]) => [
      name,
      name === 'until' ? `${format.format(new Date(value))} UTC` : value,
    ]),
  );
}
