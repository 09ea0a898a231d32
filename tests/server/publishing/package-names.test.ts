import { expect } from 'chai';
import { sql } from 'kysely';
import { notifyLostPackageNames } from '#server/domain/builds/notify-lost-package-names.ts';
import { engineTaskOf } from '#server/domain/builds/jobs/engine-task.ts';
import {
  NO_REPORT,
  NOTHING,
  recordReleaseResult,
} from '#server/domain/builds/jobs/record-engine-result.ts';
import { aRecord } from '../../support/make.ts';
import { testDatabase } from '../../support/database.ts';
import { EngineServer } from '../../support/engine.ts';
import { START_WITHIN_MS } from '../http/api/world.ts';
import { bytesOf, openPlace } from '../../engine/workshop.ts';
import type { Place } from '../../engine/workshop.ts';
import { Town } from './town.ts';

const ANDROID = 'Android App to Amazon S3 Bucket (No Admin)';

/** An organization with an engine of its own. */
interface Press {
  readonly town: Town;
  readonly engine: EngineServer;
}

describe('the package name of an app', function () {
  this.timeout(START_WITHIN_MS);
  let place: Place;
  let lakeside: Press;
  let harbor: Press;
  let name: string;
  let harvest: string;

  before(async () => {
    place = openPlace((await testDatabase()).db);
    await place.bundled.open();
    name = place.workshop.packageName;
    lakeside = await aPress();
    harbor = await aPress();
    harvest = await publish(lakeside);
  });
  after(async () => {
    for (const { town, engine } of [lakeside, harbor]) {
      await town.stop();
      await engine.stop();
    }
    await place.remove();
  });

  async function aPress(): Promise<Press> {
    const engine = await EngineServer.start(place.bundled);
    const env = {
      BUILD_ENGINE_URL: engine.url,
      BUILD_ENGINE_TOKEN: engine.token,
      BUILD_ENGINE_HOSTS: '127.0.0.1',
    };
    return { town: await Town.found({ env }, place.bundled), engine };
  }

  /** Goes through the workflow of an app until the engine has released it, or it was refused. */
  async function publish({ town }: Press): Promise<string> {
    const project = await town.project();
    const { location } = await town.see('owner', 'projects', project);
    const [, number = ''] = /repositories\/(\d+)$/.exec(location as string) ?? [];
    await place.bundled.repositories.add(Number(number), bytesOf('content'));
    const product = await town.product(project, ANDROID, 'slipway_files');
    await town.workOff();
    await town.command('owner', product, 'Continue');
    await town.workOff();
    await town.command('owner', product, 'Approve');
    await town.workOff();
    return product;
  }

  const publicationOf = async ({ town }: Press, product: string) => {
    const [publication] = await town.all('productPublication', { product });
    return publication;
  };

  const addressOf = (of: string) => `/api/products/${of}/files/published/apk`;

  /** Returns where the public address leads anyone. */
  const led = async ({ town }: Press, of: string) => {
    const answer = await town.fetch(null, 'GET', addressOf(of));
    return answer.headers.get('location') ?? String(answer.status);
  };

  const move = async ({ town }: Press, who: 'admin' | 'super', to: string, body: unknown) =>
    town.answerOf(
      await town.fetch(who, 'PUT', `/api/package-names/${to}`, {
        headers: { 'Content-Type': 'application/json' },
        body: Buffer.from(JSON.stringify(body)),
      }),
    );

  it('leads to the file of the organization that published under it first, whatever another engine answers [F3]', async () => {
    expect(await led(lakeside, name)).to.match(new RegExp(`^${lakeside.engine.url}/files/`));
    const trojan = await publish(harbor);

    const refused = await publicationOf(harbor, trojan);
    expect([refused?.success, refused?.package]).to.deep.equal([false, null]);
    expect(refused?.error).to.equal(`Package name taken: ${name} belongs to another organization.`);
    expect(await led(lakeside, name)).to.match(new RegExp(`^${lakeside.engine.url}/files/`));
    const published = await publicationOf(lakeside, harvest);
    expect([published?.success, published?.package]).to.deep.equal([true, name]);
  });

  it('that another organization holds is not published by an engine, which is not even asked [F3]', () => {
    const releases = harbor.engine.heard.filter(({ method }) => method === 'PUT');
    expect(releases).to.deep.equal([]);
    expect(lakeside.engine.heard.filter(({ method }) => method === 'PUT')).to.have.length(1);
  });

  it('that another organization holds tells the owner why nothing was published [F3]', async () => {
    const failed = (await harbor.town.told('owner')).find(
      ({ messageId }) => messageId === 'releaseFailedOwner',
    );
    expect(JSON.stringify(failed?.messageValues)).to.include('Package name taken');
  });

  it('is checked again when the engine names it only with the release [F3]', async () => {
    const { town } = harbor;
    const { db } = town.server.parts;
    const project = await town.project('Late');
    const product = (await aRecord(db, 'product', { project })).id;
    const productBuild = (await aRecord(db, 'productBuild', { product, success: true })).id;
    for (const packageName of [name, `app.slipway.p${harvest.replaceAll('-', '')}`]) {
      const { id } = await aRecord(db, 'productPublication', { product, productBuild });
      await db.write({ at: Date.now(), by: null, changes: [] }, async (write) => {
        const about = await engineTaskOf(write, 'productPublication', id);
        if (about === null) throw new Error('There is no such publication');
        const facts = { ...NOTHING, packageName };
        const ended = { isSuccess: true, error: null, facts, ...NO_REPORT };
        await recordReleaseResult({ services: town.server.parts, write }, about, ended);
      });
      const [publication] = await town.all('productPublication', { id });
      expect([publication?.success, publication?.package], packageName).to.deep.equal([
        false,
        null,
      ]);
    }
  });

  it('leads at once nowhere but to its organization’s engine: for another host there is a page that names it [F3]', async () => {
    const { town } = lakeside;
    const elsewhere = 'https://files.elsewhere.test/harvest.apk?sign=1&until=2';
    const { db } = town.server.parts;
    const [apk] = await town.all('productArtifact', { product: harvest, artifactType: 'apk' });
    const put = (address: string) =>
      db.transact(async (tx) => {
        const [row] = await tx.query(
          sql<{ readonly address: string }>`update artifact_addresses old
            set address = ${address} from artifact_addresses was
            where old.product_artifact_id = ${apk?.id ?? ''}
              and was.product_artifact_id = old.product_artifact_id returning was.address`,
        );
        return row?.address ?? '';
      });
    const usual = await put(elsewhere);
    try {
      const page = `/downloads/products/${harvest}/files/published/apk`;
      expect(await led(lakeside, name)).to.equal(page);
      const text = await (await town.fetch(null, 'GET', page)).text();
      expect(text.replaceAll(/<\/?bdi>/g, '')).to.include('files.elsewhere.test.');
      expect(text).to.include(`href="${elsewhere.replace('&', '&amp;')}"`);
    } finally {
      await put(usual);
    }
    const known = await town.fetch(
      null,
      'GET',
      `/downloads/products/${harvest}/files/published/apk`,
    );
    expect(await known.text()).to.include(new URL(lakeside.engine.url).host);
  });

  it('is moved to another organization by a super admin alone, who says why [F3]', async () => {
    const to = { organization: harbor.town.organization, reason: 'Sold to Harbor' };
    expect((await move(lakeside, 'admin', name, to)).refusal).to.equal('forbidden');
    for (const [body, refusal] of [
      [{ ...to, reason: ' ' }, 'invalid/required'],
      [{ ...to, organization: harvest }, 'invalid/reference'],
      [{ reason: 'x' }, 'invalid/required'],
    ] as const)
      expect((await move(lakeside, 'super', name, body)).refusal).to.equal(refusal);
    expect((await move(lakeside, 'super', `${name}.none`, to)).refusal).to.equal('not-found');

    const moved = await move(lakeside, 'super', name, to);
    expect([moved.status, moved.json]).to.deep.equal([200, { name, ...to }]);
    expect(await led(lakeside, name)).to.equal('404');
    const theirs = await publish(harbor);
    expect((await publicationOf(harbor, theirs))?.success).to.equal(true);
    expect(await led(harbor, name)).to.match(new RegExp(`^${harbor.engine.url}/files/`));
    expect(await led(lakeside, harvest)).to.match(new RegExp(`^${lakeside.engine.url}/files/`));

    const asked = () => lakeside.engine.heard.filter(({ method }) => method === 'PUT').length;
    const before = asked();
    const late = await publicationOf(lakeside, await publish(lakeside));
    expect([late?.success, late?.package]).to.deep.equal([false, null]);
    expect(late?.error).to.equal(`Package name taken: ${name} belongs to another organization.`);
    expect(asked()).to.equal(before);
    expect(await led(harbor, name)).to.match(new RegExp(`^${harbor.engine.url}/files/`));

    const back = { organization: lakeside.town.organization, reason: 'It was not sold after all' };
    expect((await move(lakeside, 'super', name, back)).status).to.equal(200);
    expect(await led(lakeside, name)).to.match(new RegExp(`^${lakeside.engine.url}/files/`));
  });

  it('that was lost to whoever was first is told to the admins of the organization once [F3]', async () => {
    const { parts: services } = lakeside.town.server;
    await services.db.transact((tx) =>
      tx.query(sql`insert into package_name_losses (product_id, name)
        values (${harvest}, ${name})`),
    );
    await notifyLostPackageNames(services);
    await notifyLostPackageNames(services);
    const notifications = (await lakeside.town.told('admin')).filter(
      ({ messageId }) => messageId === 'packageNameTaken',
    );
    expect(notifications).to.have.length(1);
    expect(notifications[0]?.messageValues).to.include({
      packageName: name,
      projectName: 'Harvest',
    });
    expect(notifications[0]?.linkUrl).to.equal(`/products/${harvest}/files`);
  });
});
