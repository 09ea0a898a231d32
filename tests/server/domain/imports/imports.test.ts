import { expect } from 'chai';
import type { Of } from '#schema/index.ts';
import { HTML, Town } from '../../publishing/town.ts';

/** [8.4] A file of projects. */
describe('an import', function () {
  this.timeout(60_000);
  let town: Town;

  beforeEach(async () => {
    town = await Town.found();
  });
  afterEach(() => town.stop());

  const named = (...names: string[]) => names.map((Name) => ({ Name, Language: 'es-419' }));
  const product = { Name: HTML, Store: 'slipway_web' };
  const ask = async (content: unknown) => {
    const [type] = await town.all('applicationType', { name: 'bookapp' });
    const links = {
      organization: { type: 'organizations', id: town.organization },
      group: { type: 'groups', id: town.group },
      type: { type: 'application-types', id: type?.id ?? '' },
    };
    return town.ask('admin', 'POST', '/api/project-imports', {
      data: {
        type: 'project-imports',
        attributes: { 'import-data': JSON.stringify(content) },
        relationships: Object.fromEntries(
          Object.entries(links).map(([name, data]) => [name, { data }]),
        ),
      },
    });
  };
  const begin = async (content: unknown): Promise<string> => (await ask(content)).one.id;
  const seen = async (id: string): Promise<Of<'projectImport'>> => {
    const [found] = await town.all('projectImport', { id });
    if (found === undefined) throw new Error('There is no such import');
    return found;
  };
  const projects = async () =>
    (await town.all('project', { organization: town.organization })).map(({ name }) => name).sort();
  const outcomes = async (id: string) =>
    ((await seen(id)).report ?? []).map(({ name, outcome, reason, products }) =>
      [name, outcome, reason, products].filter((part) => part !== undefined),
    );

  it('makes its projects for who asked, with the products once their repositories are there [R10, R198, R360]', async () => {
    const id = await begin({ Projects: named('Harvest', 'Lake'), Products: [product] });
    expect((await seen(id)).dateFinished).to.equal(null);
    await town.workOff();
    await town.live(60_000);
    const made = [{ name: HTML, outcome: 'created' }];
    expect(await outcomes(id)).to.deep.equal([
      ['Harvest', 'created', made],
      ['Lake', 'created', made],
    ]);
    expect((await seen(id)).dateFinished).not.to.equal(null);
    const [harvest] = await town.all('project', {
      name: 'Harvest',
      organization: town.organization,
    });
    expect(harvest).to.include({
      owner: town.people.admin,
      group: town.group,
      language: 'es-419',
      isPublic: true,
    });
    expect(await town.all('product', { project: harvest?.id ?? '' })).to.have.length(1);
    expect(town.faults).to.deep.equal([]);
  });

  it('tells its owner when it is finished, and mails what came of every line [R198]', async () => {
    await town.project('Harvest');
    await begin({ Projects: named('harvest', 'Lake') });
    await town.workOff();
    const message = (await town.told('admin')).find(
      ({ messageId }) => messageId === 'projectImportFinished',
    );
    expect(message?.messageValues).to.deep.equal({ created: '1', existing: '1', failed: '0' });
    expect(message?.linkUrl).to.equal('/projects/own');
    const mails = town.letters.filter(({ template }) => template === 'importReport');
    expect(mails).to.have.length(1);
    expect(mails[0]?.values).to.deep.include({
      lines: 'harvest: skipped, already exists\nLake: created',
    });
  });

  it('leaves a project that is called so as it is, archived or not, and adds it no products', async () => {
    const there = await town.project('Harvest');
    await town.ask('owner', 'PATCH', `/api/projects/${there}`, {
      data: {
        type: 'projects',
        id: there,
        attributes: { 'date-archived': new Date().toISOString() },
      },
    });
    const id = await begin({ Projects: named('HARVEST'), Products: [product] });
    await town.workOff();
    expect(await outcomes(id)).to.deep.equal([['HARVEST', 'exists']]);
    expect(await projects()).to.deep.equal(['Harvest']);
    expect(await town.all('product', { project: there })).to.deep.equal([]);
    expect((await seen(id)).dateFinished).not.to.equal(null);
  });

  it('makes nothing of a file with a mistake, and says where each is', async () => {
    const answer = await ask({ Projects: [...named('Harvest'), { Name: 'Lake' }] });
    expect([answer.status, answer.refusal]).to.deep.equal([422, 'invalid/required']);
    expect(answer.json.errors?.[0]?.meta?.at).to.equal('/Projects/1/Language');
    await town.workOff();
    expect(await projects()).to.deep.equal([]);
  });

  it('does not do what its owner may not do any more by the time it is worked off', async () => {
    const id = await begin({ Projects: named('Harvest') });
    const { admin: user } = town.people;
    const [membership] = await town.all('groupMembership', { user, group: town.group });
    const path = `/api/group-memberships/${membership?.id ?? ''}`;
    expect((await town.ask('super', 'DELETE', path)).status).to.equal(204);
    await town.workOff();
    expect(await outcomes(id)).to.deep.equal([['Harvest', 'failed', 'forbidden']]);
    expect(await projects()).to.deep.equal([]);
    expect((await seen(id)).dateFinished).not.to.equal(null);
  });

  it('gives a product up that its organization has switched off meanwhile', async () => {
    const id = await begin({ Projects: named('Harvest'), Products: [product] });
    const [definition] = await town.all('productDefinition', { name: HTML });
    const [link] = await town.all('organizationProductDefinition', {
      organization: town.organization,
      productDefinition: definition?.id ?? '',
    });
    const path = `/api/organization-product-definitions/${link?.id ?? ''}`;
    expect((await town.ask('admin', 'DELETE', path)).status).to.equal(204);
    await town.workOff();
    await town.live(60_000);
    const failed = [{ name: HTML, outcome: 'failed', reason: 'invalid' }];
    expect(await outcomes(id)).to.deep.equal([['Harvest', 'created', failed]]);
    expect((await seen(id)).dateFinished).not.to.equal(null);
  });

  it('makes each project once, whatever it is cut off by', async () => {
    const { db } = town.server.parts;
    const names = Array.from({ length: 45 }, (_, n) => `Project ${100 + n}`);
    const id = await begin({ Projects: named(...names) });
    const write = db.write.bind(db);
    let writes = 0;
    db.write = (cause, work) => {
      writes += 1;
      if (writes % 3 === 2) throw new Error('The connection to the database is gone');
      return write(cause, work);
    };
    await town.live(600_000);
    db.write = write;
    await town.live(600_000);
    expect(writes).to.be.greaterThan(3);
    expect(await projects()).to.deep.equal(names);
    expect((await outcomes(id)).map(([name]) => name)).to.deep.equal(names);
  });
});
