import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { sql } from 'kysely';
import { DATA_EXPORT } from '#protocol/data-export.ts';
import { JSON_API } from '#protocol/document.ts';
import { paths } from '#protocol/paths.ts';
import { accountByEmail } from '#server/domain/accounts/accounts.ts';
import { notifyMovedPackageName } from '#server/domain/builds/notify-moved-package-name.ts';
import { notifyLostPackageNames } from '#server/domain/builds/notify-lost-package-names.ts';
import {
  notifyEngineBack,
  notifyEngineLost,
} from '#server/domain/builds/jobs/notify-engine-status.ts';
import { mentionOf } from '#rules/mention.ts';
import { notify } from '#server/domain/notifications/notify.ts';
import { BUILD_FAILURES, PROJECT_FAILURES, sendAccountMails } from '../support/every-mail.ts';
import { signInByForm } from '../support/sign-in.ts';
import { aRecord } from '../support/make.ts';
import { mailedLink, mailsOf } from './mailbox.ts';
import { PASSWORD } from './people.ts';
import { begin, command, content, HTML, toOne } from './products.ts';
import { superAdmin } from './world.ts';
import type { Person, Team, World } from './world.ts';

/** Lets everything happen of which somebody is notified or mailed. @returns who was */
export async function sendEveryMessage(
  world: World,
  team: Team,
  others: Team,
): Promise<readonly Person[]> {
  const sue = await superAdmin(world, team);
  const aki = await team.join('Aki', ['Author', 'AppBuilder']);
  const product = await publish(world, team);
  await comment(team, product);
  await failAtProducts(world, team, product);
  await moveName(world, team, others);
  await handOver(team, aki);
  const cleo = await others.join('Cleo', []);
  await letIn(world, team, { others, sue, cleo });
  await changeAccount(world, team.ana);
  await askForJobs(world, team);
  // What is unread a minute later is mailed.
  world.aheadMs = 120_000;
  return [team.ana, team.ben, sue, aki, others.ana, others.ben, cleo];
}

/** Tells the admins of both that a package name was moved from one to the other. */
async function moveName({ parts }: World, team: Team, others: Team): Promise<void> {
  await parts.db.write({ at: parts.clock(), by: null, changes: [] }, (write) =>
    notifyMovedPackageName(
      { services: parts, write },
      {
        ...{ name: 'test.harvest', reason: 'It was sold' },
        ...{ from: team.organization, to: others.organization },
      },
    ),
  );
}

/** Takes a product through its workflow, with a rejection on the way. */
async function publish(world: World, team: Team): Promise<string> {
  const ana = await team.apiOf(team.ana);
  const { project, product } = await begin(world, team, HTML, {
    content,
    state: 'App Builder Configuration',
  });
  await aRecord(world.parts.db, 'reviewer', {
    project: project.id,
    name: 'Rosa',
    email: 'rosa@example.org',
    locale: 'en-US',
  });
  await mailReviews(world, product);
  const state = async () =>
    (await ana.first(`/api/products/${product}`)).attributes?.['workflow-state'];
  const give = async (name: string, then: string | null, comment: string | null = null) => {
    await command(ana, product, name, comment);
    await expect.poll(state, { timeout: 60_000 }).toBe(then);
  };
  await give('Continue', 'Verify and Publish');
  await give('Reject', 'Synchronize Data', 'Last year’s title');
  await give('Continue', 'Verify and Publish');
  await give('Email Reviewers', 'Verify and Publish');
  await give('Approve', null);
  return product;
}

/** Asks for reviews of builds with what else can be built, which are gone then. */
async function mailReviews(world: World, product: string): Promise<void> {
  const { db, clock, jobs } = world.parts;
  for (const [artifactType, kind] of [
    ['asset-preview', 'reviewAssetPackage'],
    ['pwa', 'reviewPwaProduct'],
    ['play-listing', 'reviewProduct'],
    ['apk', 'reviewProductNoPlayListing'],
  ] as const) {
    const build = await aRecord(db, 'productBuild', { product, buildId: null, success: true });
    await aRecord(db, 'productArtifact', { product, productBuild: build.id, artifactType });
    await db.transact((tx) =>
      jobs.enqueue(tx, { name: 'mail-reviewers', data: { product, comment: null } }),
    );
    await expect.poll(() => mailsOf(world).map((mail) => mail.kind)).toContain(kind);
    await db.write({ at: clock(), by: null, changes: [] }, (write) =>
      write.remove('productBuild', build.id),
    );
  }
}

const AT_FILES = [...BUILD_FAILURES, 'productRolledBack'] as const;

/** Ben says something about Ana's product, and mentions her. */
async function comment(team: Team, product: string): Promise<void> {
  const bens = await team.apiOf(team.ben);
  for (const text of ['Well done', `${mentionOf(team.ana.id)}, well done`])
    await bens.add({
      type: 'product-comments',
      id: randomUUID(),
      attributes: { text },
      relationships: { product: toOne('products', product) },
    });
}

async function failAtProducts({ parts }: World, team: Team, product: string): Promise<void> {
  const { db, clock, engines } = parts;
  const { project } = await db.read(async (tx) => ({
    project: (await tx.one('product', product))?.project ?? '',
  }));
  await db.write({ at: clock(), by: null, changes: [] }, async (write) => {
    const context = { services: parts, write };
    const [build] = await write.all('productBuild', { product });
    for (const id of [...PROJECT_FAILURES, ...AT_FILES])
      for (const { id: user } of [team.ana, team.ben])
        await notify(context, user, {
          id,
          organization: team.organization,
          values: { projectName: 'Harvest', productName: HTML },
          // Each leads where domain 10.1 says.
          linkUrl: id.startsWith('buildFailed')
            ? `/products/${product}/builds/${build?.id ?? ''}/log`
            : AT_FILES.some((kind) => kind === id)
              ? `/products/${product}/files`
              : `/projects/${project}`,
        });
    const [engine] = await engines.inUse(write);
    if (engine === undefined) throw new Error('There is no build engine');
    await notifyEngineLost(context, engine, 5);
    await notifyEngineBack(context, engine, 6);
    await write.query(
      sql`insert into package_name_losses (product_id, name) values (${product}, 'test.harvest')`,
    );
  });
  await notifyLostPackageNames(parts);
}

/** Aki becomes an author of a project of Ana's, and its owner. */
async function handOver(team: Team, aki: Person): Promise<void> {
  const project = await team.project('Passed on');
  await team.api.add({
    type: 'authors',
    id: randomUUID(),
    relationships: { project: toOne('projects', project), user: toOne('users', aki.id) },
  });
  await team.api.change({
    type: 'projects',
    id: project,
    relationships: { owner: toOne('users', aki.id) },
  });
}

/** People are added and invited, and an organization is asked for. */
async function letIn(
  world: World,
  team: Team,
  { others, sue, cleo }: { readonly others: Team; readonly sue: Person; readonly cleo: Person },
): Promise<void> {
  const organization = toOne('organizations', team.organization);
  await team.api.add({
    type: 'organization-memberships',
    id: randomUUID(),
    attributes: { email: others.ana.email },
    relationships: { organization },
  });
  const invite = ({ email }: Person) =>
    team.api.add({
      type: 'organization-membership-invites',
      id: randomUUID(),
      attributes: { email },
      relationships: { organization },
    });
  await invite(others.ben);
  const link = await mailedLink(world, others.ben.email, '/invitations/organization-membership/');
  await (await team.apiOf(others.ben)).first(paths.redeem(link.split('/').at(-1) ?? ''));
  // One that is still open.
  await invite(cleo);

  const boss = await team.apiOf(sue);
  await boss.add({
    type: 'organization-invites',
    id: randomUUID(),
    attributes: { 'owner-email': others.ana.email, name: 'Hill Press', url: 'https://hill.test' },
  });
  await ask(`${world.serverUrl}${paths.inviteRequests}`, {
    method: 'POST',
    headers: { 'Content-Type': JSON_API, Accept: JSON_API },
    body: JSON.stringify({
      data: {
        type: 'organization-invite-requests',
        attributes: {
          name: 'Hill Press',
          'org-admin-email': others.ana.email,
          'website-url': 'https://hill.test',
        },
      },
    }),
  });
}

/** The mails about an account, as its pages send them. */
async function changeAccount({ parts }: World, { email }: Person): Promise<void> {
  const account = await parts.db.transact((tx) => accountByEmail(tx, email));
  if (account === null) throw new Error(`${email} has no account`);
  sendAccountMails(parts, account, 'other@example.org');
}

/** A new project with its repository, an import, and an export of one's own data. */
async function askForJobs(world: World, team: Team): Promise<void> {
  const place = {
    organization: toOne('organizations', team.organization),
    group: toOne('groups', team.group),
  };
  const [type] = await world.parts.db.read((tx) => tx.all('applicationType', { name: 'bookapp' }));
  const ofType = toOne('application-types', type?.id ?? '');
  const ana = await team.apiOf(team.ana);
  await ana.add({
    type: 'projects',
    id: randomUUID(),
    attributes: { name: 'Lantern', language: 'es-419' },
    relationships: { ...place, type: ofType, owner: toOne('users', team.ana.id) },
  });
  await team.api.add({
    type: 'project-imports',
    id: randomUUID(),
    attributes: {
      'import-data': JSON.stringify({ Projects: [{ Name: 'Orchard', Language: 'es-419' }] }),
    },
    relationships: { ...place, type: ofType },
  });
  const { access_token } = await signInByForm(world.serverUrl, team.ana.email, PASSWORD);
  await ask(`${world.serverUrl}${DATA_EXPORT}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${access_token}` },
  });
}

async function ask(...[address, request]: [string, RequestInit]): Promise<void> {
  const answer = await fetch(address, request);
  if (!answer.ok) throw new Error(`${address}: ${String(answer.status)} ${await answer.text()}`);
}
