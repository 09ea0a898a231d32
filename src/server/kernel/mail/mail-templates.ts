import { escapeHtml } from '#base/html.ts';
import { instantIn, translate } from '#text/say.ts';
import type { MailLanguage, MailTextKey } from '#text/say.ts';

/** Every mail with its values. `link` is absolute; `until` is an instant. */
interface MailValues {
  readonly emailVerification: { readonly link: string };
  readonly passwordReset: { readonly link: string };
  /** The link leads to where a forgotten password is replaced, in case it was somebody else. */
  readonly passwordChanged: { readonly link: string };
  readonly signInLink: { readonly link: string };
  /** To a new address of an account, which the link confirms. */
  readonly newAddress: { readonly link: string };
  /** To the present one, before the new one is confirmed. */
  readonly addressAsked: { readonly address: string; readonly link: string };
  /** To the old one. */
  readonly addressChanged: { readonly address: string; readonly link: string };
  readonly secondFactorOn: { readonly link: string };
  readonly secondFactorOff: { readonly link: string };
  /** A super admin switched it off. */
  readonly secondFactorReset: { readonly link: string };
  /** One-time codes were set up or taken away, beside passkeys. */
  readonly oneTimeCodesOn: { readonly link: string };
  readonly oneTimeCodesOff: { readonly link: string };
  readonly passkeyAdded: { readonly name: string; readonly link: string };
  readonly passkeyRemoved: { readonly name: string; readonly link: string };
  readonly recoveryCodesMade: { readonly link: string };
  /** The number of codes that are left. */
  readonly recoveryCodeUsed: { readonly left: string; readonly link: string };
  /** Too many wrong codes came, from somebody who knows the password. */
  readonly codesGuessed: { readonly link: string };
  /** To the address of an account that is deleted. */
  readonly accountDeleted: { readonly link: string };
  readonly membershipInvite: {
    readonly organization: string;
    readonly inviter: string;
    readonly link: string;
    readonly until: string;
  };
  readonly membershipAdded: {
    readonly organization: string;
    readonly inviter: string;
    readonly link: string;
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
  /** The link leads to where these mails are turned off; what happened is in the files. */
  readonly notification: { readonly first: string; readonly link: string };
  /** `lines` has the result of each project and product. */
  readonly importReport: {
    readonly created: string;
    readonly existing: string;
    readonly failed: string;
    readonly lines: string;
    readonly link: string;
  };
  /** The link leads to where the file is; the file itself is for who signs in. */
  readonly dataExport: { readonly link: string };
  readonly organizationInviteRequest: {
    readonly name: string;
    readonly email: string;
    readonly websiteUrl: string;
    readonly link: string;
  };
  /** The mail that asks for a review; the kind depends on what was built (domain 10.3). */
  readonly reviewProduct: Review;
  readonly reviewProductNoPlayListing: Review;
  readonly reviewPwaProduct: Review;
  readonly reviewHtmlProduct: Review;
  readonly reviewAssetPackage: Review;
}

interface Review {
  readonly project: string;
  readonly product: string;
  readonly version: string;
  /** The owner who asks, and the address for answers. */
  readonly owner: string;
  readonly email: string;
  /** Blank: there is no comment. */
  readonly comment: string;
  /** The copy for the owner lists everyone who got it. It is blank in all others. */
  readonly readers: string;
  /** Blank: the reader has no account. */
  readonly link: string;
  readonly until: string;
}

/** A file that can be had at an address in the mail. */
export interface LinkedFile {
  readonly name: string;
  readonly url: string;
}

type Template = keyof MailValues;

export type Mail = {
  readonly [T in Template]: {
    readonly to: string;
    readonly language: MailLanguage;
    readonly template: T;
    readonly values: MailValues[T];
    /** The address for answers; unless stated, the sender. */
    readonly replyTo?: string;
    readonly files?: readonly LinkedFile[];
  };
}[Template];

export type ReviewTemplate = {
  readonly [T in Template]: MailValues[T] extends Review ? T : never;
}[Template];

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface MailTexts {
  readonly subject: MailTextKey;
  readonly body: MailTextKey;
  readonly action: MailTextKey;
  /** Paragraphs that follow the body when the value of that name is not blank. */
  readonly more?: readonly (readonly [value: string, MailTextKey])[];
}

/** The parts that all mails for reviewers share. */
const REVIEW = {
  subject: 'mail.review.subject',
  action: 'mail.review.action',
  more: [
    ['comment', 'mail.review.comment'],
    ['readers', 'mail.review.readers'],
    ['email', 'mail.review.answer'],
    ['until', 'mail.review.until'],
  ],
} as const;

const keys: Readonly<Record<Template, MailTexts>> = {
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
  passwordChanged: {
    subject: 'mail.passwordChanged.subject',
    body: 'mail.passwordChanged.body',
    action: 'mail.passwordChanged.action',
  },
  signInLink: {
    subject: 'mail.signInLink.subject',
    body: 'mail.signInLink.body',
    action: 'mail.signInLink.action',
  },
  newAddress: {
    subject: 'mail.newAddress.subject',
    body: 'mail.newAddress.body',
    action: 'mail.newAddress.action',
  },
  addressAsked: {
    subject: 'mail.addressAsked.subject',
    body: 'mail.addressAsked.body',
    action: 'mail.addressAsked.action',
  },
  addressChanged: {
    subject: 'mail.addressChanged.subject',
    body: 'mail.addressChanged.body',
    action: 'mail.addressChanged.action',
  },
  secondFactorOn: {
    subject: 'mail.secondFactorOn.subject',
    body: 'mail.secondFactorOn.body',
    action: 'mail.passwordChanged.action',
  },
  secondFactorOff: {
    subject: 'mail.secondFactorOff.subject',
    body: 'mail.secondFactorOff.body',
    action: 'mail.passwordChanged.action',
  },
  secondFactorReset: {
    subject: 'mail.secondFactorReset.subject',
    body: 'mail.secondFactorReset.body',
    action: 'mail.passwordChanged.action',
  },
  oneTimeCodesOn: {
    subject: 'mail.oneTimeCodesOn.subject',
    body: 'mail.oneTimeCodesOn.body',
    action: 'mail.passwordChanged.action',
  },
  oneTimeCodesOff: {
    subject: 'mail.oneTimeCodesOff.subject',
    body: 'mail.oneTimeCodesOff.body',
    action: 'mail.passwordChanged.action',
  },
  passkeyAdded: {
    subject: 'mail.passkeyAdded.subject',
    body: 'mail.passkeyAdded.body',
    action: 'mail.passwordChanged.action',
  },
  passkeyRemoved: {
    subject: 'mail.passkeyRemoved.subject',
    body: 'mail.passkeyRemoved.body',
    action: 'mail.passwordChanged.action',
  },
  recoveryCodesMade: {
    subject: 'mail.recoveryCodesMade.subject',
    body: 'mail.recoveryCodesMade.body',
    action: 'mail.passwordChanged.action',
  },
  recoveryCodeUsed: {
    subject: 'mail.recoveryCodeUsed.subject',
    body: 'mail.recoveryCodeUsed.body',
    action: 'mail.passwordChanged.action',
  },
  codesGuessed: {
    subject: 'mail.codesGuessed.subject',
    body: 'mail.codesGuessed.body',
    action: 'mail.passwordChanged.action',
  },
  accountDeleted: {
    subject: 'mail.accountDeleted.subject',
    body: 'mail.accountDeleted.body',
    action: 'mail.accountDeleted.action',
  },
  membershipInvite: {
    subject: 'mail.membershipInvite.subject',
    body: 'mail.membershipInvite.body',
    action: 'mail.membershipInvite.action',
  },
  membershipAdded: {
    subject: 'mail.membershipAdded.subject',
    body: 'mail.membershipAdded.body',
    action: 'mail.membershipAdded.action',
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
  notification: {
    subject: 'mail.notification.subject',
    body: 'mail.notification.body',
    action: 'mail.notification.action',
  },
  importReport: {
    subject: 'mail.importReport.subject',
    body: 'mail.importReport.body',
    action: 'mail.importReport.action',
  },
  dataExport: {
    subject: 'mail.dataExport.subject',
    body: 'mail.dataExport.body',
    action: 'mail.dataExport.action',
  },
  organizationInviteRequest: {
    subject: 'mail.organizationInviteRequest.subject',
    body: 'mail.organizationInviteRequest.body',
    action: 'mail.organizationInviteRequest.action',
  },
  reviewProduct: { ...REVIEW, body: 'mail.reviewProduct.body' },
  reviewProductNoPlayListing: { ...REVIEW, body: 'mail.reviewProductNoPlayListing.body' },
  reviewPwaProduct: { ...REVIEW, body: 'mail.reviewPwaProduct.body' },
  reviewHtmlProduct: { ...REVIEW, body: 'mail.reviewHtmlProduct.body' },
  reviewAssetPackage: { ...REVIEW, body: 'mail.reviewAssetPackage.body' },
};

/** Every kind of mail that there is. */
export const MAIL_TEMPLATES = Object.keys(keys) as readonly Template[];

/**
 * Returns the mail in its reader's language, as plain text and as simple HTML with every value
 * escaped.
 */
export function renderMail({ language, template, values, files = [] }: Mail): RenderedMail {
  const displayed = readable(values, language);
  const safe = Object.fromEntries(
    Object.entries(displayed).map(([name, value]) => [name, escapeHtml(value)]),
  );
  const { subject, body, action, more = [] } = keys[template];
  const said = [body, ...more.filter(([value]) => displayed[value] !== '').map(([, key]) => key)];
  const paragraphs = (by: typeof displayed) =>
    said.flatMap((key) => translate(language, key, by).split('\n'));
  const { link } = values;
  const links = [
    ...files,
    ...(link === '' ? [] : [{ name: translate(language, action), url: link }]),
  ];
  const plain = ({ name, url }: LinkedFile) => (url === link ? url : `${name}\n${url}`);

  return {
    subject: translate(language, subject, displayed).replace(/\s+/g, ' '),
    text: `${[...paragraphs(displayed), ...links.map(plain)].join('\n\n')}\n`,
    html: [
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8">`,
      '<meta name="viewport" content="width=device-width, initial-scale=1"></head>',
      // Some readers of mail know only the older word for it.
      '<body style="overflow-wrap: anywhere; word-break: break-word">',
      ...paragraphs(safe).map((paragraph) => `<p>${paragraph}</p>`),
      ...links.map(
        ({ name, url }) => `<p><a href="${escapeHtml(url)}">${escapeHtml(name)}</a></p>`,
      ),
      '</body></html>',
    ].join('\n'),
  };
}

/** Returns the values as people read them: instants are formatted, all else is text already. */
function readable(values: MailValues[Template], language: MailLanguage): Record<string, string> {
  return Object.fromEntries(
    Object.entries<string>({ ...values }).map(([name, value]) => [
      name,
      name === 'until' ? instantIn(language, value) : value,
    ]),
  );
}
