// Covers what is mailed and notified from server/domain, server/http/api and server/http/identity.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { sql } from 'kysely';
import { DATA_EXPORT } from '#protocol/data-export.ts';
import { paths } from '#protocol/paths.ts';
import { accountByEmail } from '#server/domain/accounts/accounts.ts';
import { notifyFinished } from '#server/domain/imports/notify-finished.ts';
import { notifyLostPackageNames } from '#server/domain/builds/notify-lost-package-names.ts';
import { notifyMovedPackageName } from '#server/domain/builds/notify-moved-package-name.ts';
import {
  notifyEngineBack,
  notifyEngineLost,
} from '#server/domain/builds/jobs/notify-engine-status.ts';
import { mentionOf } from '#rules/mention.ts';
import { notify } from '#server/domain/notifications/notify.ts';
import { MAIL_TEMPLATES, renderMail } from '#server/kernel/mail/mail-templates.ts';
import english from '#text/en-US.json' with { type: 'json' };
import { BUILD_FAILURES, PROJECT_FAILURES, sendAccountMails } from '../support/every-mail.ts';
import { aRecord, newId } from '../support/make.ts';
import { PseudoReader, READER, sayInPseudo } from '../support/pseudo-server.ts';
import { filesOfZip, inFolder } from '../support/zips.ts';
import { anAccount } from './http/identity/people.ts';
import { HTML, Town } from './publishing/town.ts';
import type { Name } from './publishing/town.ts';

const PEOPLE: readonly Name[] = ['super', 'admin', 'owner', 'author', 'member'];

/** Names of people and things, what people typed, and what an engine answered. */
const DATA = [
  ...PEOPLE.map((name) => `${name} person`),
  ...['Lakeside Press', 'Harbor Press', 'Harvest', 'Lake', 'Lantern', 'Rosa', 'Phone', HTML],
  ...['Last year’s title', 'It was sold', 'test.harvest', 'The disk is full'],
  // Files and their types.
  ...['1.1', 'html', 'harvest-1.1-html.zip', 'asset-preview', 'pwa', 'play-listing', 'apk'],
];

describe('a mail or notification', function () {
  this.timeout(240_000);
  const reader = new PseudoReader(DATA);
  /** The kinds of mail, and the notifications, that were looked at. */
  const seen = new Set<string>();
  const read = new Set<string>();
  let town: Town;
  let domain: string;
  let putBack: () => void;
  before(async () => {
    town = await Town.found();
    await inTown(async ({ write }) => {
      for (const name of PEOPLE) await write.change('user', town.people[name], { locale: READER });
    });
    domain = domainOf(await emailOf('member'));
    putBack = sayInPseudo();
  });
  after(async () => {
    putBack();
    await town.stop();
  });

  const inTown = <T>(work: (context: Parameters<typeof notify>[0]) => Promise<T>): Promise<T> => {
    const { parts: services } = town.server;
    return services.db.write({ at: services.clock(), by: null, changes: [] }, (write) =>
      work({ services, write }),
    );
  };
  const emailOf = async (name: Name): Promise<string> => {
    const { email } = await town.see(name, 'users', town.people[name]);
    return String(email);
  };
  const isOurs = (email: string) =>
    [domain, 'outside.test', 'mails.test'].includes(domainOf(email));
  const domainOf = (email: string) => email.split('@').at(-1) ?? '';
  /** Looks at what was mailed and notified since the last look. */
  const look = async () => {
    await town.live(120_000);
    for (const mail of town.letters) {
      // Super admins whom other suites made in the same database are told of engines too.
      if (!isOurs(mail.to)) continue;
      expect(mail.language, mail.template).to.equal(READER);
      seen.add(mail.template);
      const { subject, text, html } = renderMail(mail);
      reader.text(`${mail.template}: subject`, subject);
      reader.text(`${mail.template}: text`, text);
      reader.html(`${mail.template}: html`, html);
    }
    town.letters.length = 0;
    for (const name of PEOPLE)
      for (const { id, message, messageId } of await town.told(name)) {
        if (!read.has(id)) reader.text(messageId ?? '', message ?? '');
        read.add(id);
      }
    expect(town.faults).to.deep.equal([]);
    expect([...new Set(reader.found.splice(0))]).to.deep.equal([]);
  };

  it('of a project and its products is in its reader’s language', async () => {
    const project = await town.project('Harvest');
    await town.upload(project);
    await town.add(
      'owner',
      'reviewers',
      { name: 'Rosa', email: 'rosa@outside.test', locale: READER },
      { project: ['projects', project] },
    );
    const product = await town.product(project);
    await town.workOff();
    const give = async (command: string, comment: string | null = null) => {
      await town.command('owner', product, command, comment);
      await town.workOff();
    };
    await give('Continue');
    await give('Reject', 'Last year’s title');
    await give('Continue');
    await give('Email Reviewers', 'Last year’s title');
    for (const type of ['asset-preview', 'pwa', 'play-listing', 'apk'])
      await askForReviews(product, type);
    await give('Approve');
    for (const text of ['Last year’s title', `${mentionOf(town.people.owner)} Last year’s title`])
      await town.add('admin', 'product-comments', { text }, { product: ['products', product] });
    await look();
    expect(await town.state(product)).to.equal(null);
  });

  /** Asks for reviews of a build with a file of `artifactType`, which is gone then. */
  async function askForReviews(product: string, artifactType: string): Promise<void> {
    const { db, jobs } = town.server.parts;
    const productBuild = newId();
    await inTown(async ({ write }) => {
      await write.insert('productBuild', { id: productBuild, product, success: true });
      await write.insert('productArtifact', { id: newId(), product, productBuild, artifactType });
    });
    await db.transact((tx) =>
      jobs.enqueue(tx, { name: 'mail-reviewers', data: { product, comment: null } }),
    );
    await jobs.untilIdle();
    await inTown(({ write }) => write.remove('productBuild', productBuild));
  }

  it('of a failure is in its reader’s language, and so is what an engine is doing', async () => {
    const { engines } = town.server.parts;
    const [harvest] = await town.all('project', { organization: town.organization });
    const [product] = await town.all('product', { project: harvest?.id ?? '' });
    await inTown(async (context) => {
      for (const id of [...PROJECT_FAILURES, ...BUILD_FAILURES, 'productRolledBack'] as const)
        await notify(context, town.people.owner, {
          id,
          organization: town.organization,
          values: {
            ...{ projectName: 'Harvest', productName: HTML, status: 'Verify and Publish' },
            ...{ userName: 'admin person', version: '1.1' },
            ...{ error: 'The disk is full', projectError: 'The disk is full' },
            ...{ buildError: 'The disk is full', releaseError: 'The disk is full' },
          },
          linkUrl: '/projects/own',
        });
      const [engine] = await engines.inUse(context.write);
      if (engine === undefined) throw new Error('There is no build engine');
      await notifyEngineLost(context, engine, 5);
      await notifyEngineBack(context, engine, 1_500);
      await context.write.query(
        sql`insert into package_name_losses (product_id, name)
          values (${product?.id ?? ''}, 'test.harvest')`,
      );
      const other = await context.write.one('organization', town.organization);
      await notifyMovedPackageName(context, {
        ...{ name: 'test.harvest', reason: 'It was sold' },
        ...{ from: other?.id ?? '', to: other?.id ?? '' },
      });
    });
    await notifyLostPackageNames(town.server.parts);
    await look();
  });

  it('of who comes and goes is in its reader’s language', async () => {
    const { db } = town.server.parts;
    const project = await town.project('Lantern');
    const links = { project: ['projects', project] } as const;
    await town.add('owner', 'authors', {}, { ...links, user: ['users', town.people.author] });
    await town.ask('admin', 'PATCH', `/api/projects/${project}`, {
      data: {
        type: 'projects',
        id: project,
        relationships: { owner: { data: { type: 'users', id: town.people.author } } },
      },
    });
    const other = await aRecord(db, 'organization', {
      name: 'Harbor Press',
      owner: town.people.super,
    });
    const organization = { organization: ['organizations', other.id] } as const;
    await town.add(
      'super',
      'organization-memberships',
      { email: await emailOf('member') },
      organization,
    );
    await town.add(
      'super',
      'organization-membership-invites',
      { email: await emailOf('author') },
      organization,
    );
    await town.server.parts.jobs.untilIdle();
    const invite = town.letters.find(({ template }) => template === 'membershipInvite');
    const link = invite !== undefined && 'link' in invite.values ? invite.values.link : '';
    await town.ask('author', 'GET', paths.redeem(link.split('/').at(-1) ?? ''));
    await town.add(
      'super',
      'organization-invites',
      { 'owner-email': await emailOf('member'), name: 'Hill', url: 'https://hill.test' },
      {},
    );
    await town.ask('member', 'POST', paths.inviteRequests, {
      data: {
        type: 'organization-invite-requests',
        attributes: {
          name: 'Harbor Press',
          'org-admin-email': 'cleo@harbor.test',
          'website-url': 'https://harbor.test',
        },
      },
    });
    await look();
  });

  it('of an import or export is in its reader’s language, and so is the export', async () => {
    const [type] = await town.all('applicationType', { name: 'bookapp' });
    await town.add(
      'admin',
      'project-imports',
      {
        'import-data': JSON.stringify({
          Projects: ['Harvest', 'Lake'].map((Name) => ({ Name, Language: 'es-419' })),
          Products: [{ Name: HTML, Store: 'slipway_web' }],
        }),
      },
      {
        organization: ['organizations', town.organization],
        group: ['groups', town.group],
        type: ['application-types', type?.id ?? ''],
      },
    );
    await town.workOff();
    await inTown(async (context) => {
      const [made] = await context.write.all('projectImport', { owner: town.people.admin });
      if (made === undefined) throw new Error('There is no import');
      const reason = 'not-found';
      const report = [
        { name: 'Lake', outcome: 'failed', reason },
        {
          name: 'Harvest',
          outcome: 'created',
          products: [{ name: HTML, outcome: 'failed', reason }],
        },
      ] as const;
      await notifyFinished(context, { ...made, report });
    });
    await town.ask('author', 'POST', DATA_EXPORT);
    await town.server.parts.jobs.untilIdle();
    const { json } = await town.ask('author', 'GET', `${DATA_EXPORT}/link`);
    const answer = await town.fetch(null, 'GET', String(json.url));
    const readme = await inFolder(async (folder) => {
      const path = join(folder, 'export.zip');
      writeFileSync(path, Buffer.from(await answer.arrayBuffer()));
      return (await filesOfZip(path)).get('README.txt')?.toString('utf8') ?? '';
    });
    reader.text('README.txt', readme);
    await look();
  });

  it('of an account is in its reader’s language', async () => {
    const { parts } = town.server;
    const email = 'ana@mails.test';
    await anAccount({ parts }, email);
    const account = await parts.db.transact((tx) => accountByEmail(tx, email));
    if (account === null) throw new Error(`${email} has no account`);
    sendAccountMails(parts, account, 'other@mails.test');
    await look();
  });

  it('is one of those that were looked at: each kind and each text has its case', () => {
    expect(MAIL_TEMPLATES.filter((template) => !seen.has(template))).to.deep.equal([]);
    const unsaid = Object.keys(english).filter(
      (key) => /^(mail|notifications)\./.test(key) && !reader.keys.has(key),
    );
    expect(unsaid).to.deep.equal([]);
  });
});
