import { expect } from 'chai';
import type { Mail } from '#server/kernel/mail/mail-templates.ts';
import { renderMail } from '#server/kernel/mail/mail-templates.ts';
import { START_WITHIN_MS } from '../http/api/world.ts';
import { anApp, HTML, Town } from './town.ts';

const DAY_MS = 86_400_000;
const PACKAGE = 'Asset Package to Amazon S3 Bucket';
const PWA = 'PWA to Cloud Provider';

describe('[W35] what reviewers are sent', () => {
  let town: Town;
  let project: string;

  before(async function () {
    this.timeout(START_WITHIN_MS);
    town = await Town.found({ limits: { reviewMailsOfOrganization: 5 } });
  });
  // A project has one product of a definition: each test has a project of its own.
  beforeEach(async () => {
    town.pass(DAY_MS);
    project = await town.project();
    await town.upload(project, anApp());
    for (const [name, locale] of [
      ['Rosa', 'es-419'],
      ['Rémi', 'fr-FR'],
    ] as const) {
      const email = `${name === 'Rosa' ? 'rosa' : 'remi'}@outside.test`;
      const links = { project: ['projects', project] } as const;
      await town.add('owner', 'reviewers', { name, email, locale }, links);
    }
  });
  after(() => town.stop());
  afterEach('no job broke', () => {
    expect(town.faults).to.deep.equal([]);
  });

  async function built(definition: string, store: string): Promise<string> {
    const product = await town.product(project, definition, store);
    await town.workOff();
    await town.command('owner', product, 'Continue');
    await town.workOff();
    expect(await town.state(product)).to.equal('Verify and Publish');
    return product;
  }

  async function mailed(product: string, comment: string | null): Promise<readonly Mail[]> {
    const before = town.letters.length;
    const asked = await town.command('owner', product, 'Email Reviewers', comment);
    expect([asked.status, asked.one.attributes?.['state-after']]).to.deep.equal([
      201,
      'Verify and Publish',
    ]);
    await town.server.parts.jobs.untilIdle();
    return town.letters.slice(before).filter(({ template }) => template !== 'notification');
  }

  it('is a mail to each in their language and a copy to the owner, with links for 14 days [R4]', async () => {
    const product = await built(HTML, 'slipway_web');
    const mails = await mailed(product, 'Look at the <cover>.');
    const owner = await town.see('owner', 'users', town.people.owner);
    expect(mails.map(({ to, language }) => [to, language])).to.have.deep.members([
      ['rosa@outside.test', 'es-419'],
      ['remi@outside.test', 'fr-FR'],
      [owner.email, 'en-US'],
    ]);
    expect(new Set(mails.map(({ template }) => template))).to.deep.equal(
      new Set(['reviewHtmlProduct']),
    );
    expect(new Set(mails.map(({ replyTo }) => replyTo))).to.deep.equal(new Set([owner.email]));

    const rosa = mails.find(({ to }) => to.startsWith('rosa'));
    expect(rosa).to.not.equal(undefined);
    if (rosa === undefined) return;
    const { subject, text, html } = renderMail(rosa);
    expect(subject).to.equal(`Harvest: ${HTML} 1.0 para revisar`);
    expect(text)
      .to.include('owner person escribe: Look at the <cover>.')
      .and.include(owner.email)
      .and.not.include('remi@outside.test');
    expect(html).to.include('Look at the &lt;cover&gt;.');
    const [file, ...others] = rosa.files ?? [];
    expect(others).to.deep.equal([]);
    expect(file?.name).to.match(/^html: .+\.zip$/);
    expect(text).to.include(file?.url);

    town.pass(14 * DAY_MS - 60_000);
    const [made] = await town.all('productArtifact', { product, artifactType: 'html' });
    const opened = await fetch(file?.url ?? '');
    expect(opened.status).to.equal(200);
    expect((await opened.arrayBuffer()).byteLength).to.equal(made?.fileSize);
    town.pass(60_000);
    expect((await fetch(file?.url ?? '')).status).to.equal(404);

    const copy = mails.find(({ to }) => to === owner.email);
    const said = copy === undefined ? '' : renderMail(copy).text;
    expect(said)
      .to.include('This email went to Rosa <rosa@outside.test>, Rémi <remi@outside.test>.')
      .and.include(`/products/${product}/files`);
    const rows = (await town.history(product)).filter(
      ([, , command]) => command === 'Email Reviewers',
    );
    expect(rows.map(([, state, , comment]) => [state, comment])).to.deep.equal([
      ['Verify and Publish', 'Look at the <cover>.'],
    ]);
  });

  it('does not tell the address of an owner who was added and has not agreed, and sends them no copy [F4]', async () => {
    const product = await built(HTML, 'slipway_web');
    const [held] = await town.all('organizationMembership', { user: town.people.owner });
    const accept = (dateAccepted: string | null) => {
      const { parts: services } = town.server;
      return services.db.write({ at: services.clock(), by: null, changes: [] }, (write) =>
        write.change('organizationMembership', held?.id ?? '', { dateAccepted }),
      );
    };
    await accept(null);
    try {
      const mails = await mailed(product, null);
      const { email } = await town.see('owner', 'users', town.people.owner);
      expect(mails.map(({ to }) => to).sort()).to.deep.equal([
        'remi@outside.test',
        'rosa@outside.test',
      ]);
      for (const mail of mails) {
        expect(mail.replyTo).to.equal(undefined);
        expect(JSON.stringify(renderMail(mail))).to.not.include(email);
      }
    } finally {
      await accept(held?.dateAccepted ?? null);
    }
  });

  it('is refused with 429, and nobody is sent anything, once an organization has sent so many mails to reviewers a day [F13]', async () => {
    const product = await built(HTML, 'slipway_web');
    for (let n = 1; n <= 2; n += 1) expect(await mailed(product, null)).to.have.length(3);
    const before = town.letters.length;
    const refused = await town.command('owner', product, 'Email Reviewers', 'once more');
    expect([refused.status, refused.refusal]).to.deep.equal([429, 'too-many-requests']);
    await town.server.parts.jobs.untilIdle();
    expect(town.letters.length).to.equal(before);
    const sent = (await town.history(product)).filter(
      ([, , command]) => command === 'Email Reviewers',
    );
    expect(sent, 'the refused one is no step').to.have.length(2);
    town.pass(DAY_MS);
    expect(await mailed(product, null), 'a day later').to.have.length(3);
  });

  it('goes to those who were reviewers when it was asked for, and were counted [F13]', async () => {
    const product = await built(HTML, 'slipway_web');
    const tasks = await town.all('userTask', { product, user: town.people.owner });
    const { length } = town.letters;
    const command = {
      type: 'task-commands',
      attributes: { command: 'Email Reviewers', comment: null, state: 'Verify and Publish' },
      relationships: { 'user-task': { data: { type: 'user-tasks', id: tasks[0]?.id } } },
    };
    const late = {
      type: 'reviewers',
      attributes: { name: 'Late', email: 'late@outside.test', locale: 'en-US' },
      relationships: { project: { data: { type: 'projects', id: project } } },
    };
    const operations = [command, late].map((data) => ({ op: 'add', data }));
    const done = await town.ask('owner', 'POST', '/api/operations', { operations });
    expect(done.status).to.equal(200);
    await town.server.parts.jobs.untilIdle();
    const to = town.letters
      .slice(length)
      .filter(({ template }) => template === 'reviewHtmlProduct')
      .map((mail) => mail.to);
    expect(to).to.include('rosa@outside.test').and.not.include('late@outside.test');
  });

  for (const [definition, store, template, types] of [
    [PACKAGE, 'slipway_files', 'reviewAssetPackage', ['asset-package', 'asset-preview']],
    [PWA, 'slipway_web', 'reviewPwaProduct', ['pwa']],
  ] as const) {
    it(`is chosen by what was built: ${template}`, async () => {
      const mails = await mailed(await built(definition, store), null);
      expect(mails).to.have.length(3);
      for (const mail of mails) {
        expect(mail.template).to.equal(template);
        expect((mail.files ?? []).map(({ name }) => name.split(':')[0])).to.deep.equal(types);
        expect(renderMail(mail).text).to.not.include('{{');
      }
      const remi = mails.find(({ language }) => language === 'fr-FR');
      expect(remi === undefined ? '' : renderMail(remi).text).to.not.include('écrit :');
    });
  }
});
