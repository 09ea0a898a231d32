import { expect } from 'chai';
import pg from 'pg';
import type { HubUpdateMessage } from '#protocol/operations.ts';
import { checkAccepted, connect, send } from '../support/crowd.ts';
import type { Connection } from '../support/crowd.ts';
import { freshPlace } from '../support/database.ts';
import type { Place } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { newId } from '../support/make.ts';
import { prepare } from '../support/prepared.ts';
import type { Prepared } from '../support/prepared.ts';
import { spawnServer } from '../support/server.ts';
import type { SpawnedServer } from '../support/server.ts';
import { listen } from './http/hub/listener.ts';
import type { Listener } from './http/hub/listener.ts';

const postgres = process.env.DATABASE_URL ?? '';
const WITHIN_MS = 120_000;

// The embedded database belongs to one process: there are no two then.
if (postgres !== '') {
  describe('[wire 10.3] two server processes on one PostgreSQL', function () {
    this.timeout(WITHIN_MS);
    let place: Place;
    let prepared: Prepared;
    let here: SpawnedServer;
    let there: SpawnedServer;
    let connection: Connection;
    let listener: Listener;

    before(async () => {
      place = await freshPlace(postgres);
      prepared = await prepare(place);
      here = await spawnServer(prepared.env);
      there = await spawnServer({ ...prepared.env, PORT: String(await freePort()) });
      connection = await connect(here.url, prepared);
      listener = await listen(there.url, prepared.token);
      await listener.subscribe('changes');
    });
    after(async () => {
      await listener.stop();
      await here.stop();
      await there.stop();
      await place.remove();
    });

    /**
     * Makes a change at one; returns how long after its answer the listener at the other gets it,
     * in ms.
     */
    const tookMs = async (): Promise<number> => {
      const change = { id: newId(), project: newId(), reviewer: newId() };
      const told = (async () => {
        while (!isAbout(await listener.next(), change.id));
        return performance.now();
      })();
      checkAccepted((await send(here.url, prepared, connection, [change])) ?? []);
      const answered = performance.now();
      return Math.max(0, (await told) - answered);
    };

    it('let one person try to redeem invitations 20 times a minute at both together', async () => {
      const redeem = async ({ url }: SpawnedServer) => {
        const headers = { Authorization: `Bearer ${prepared.token}` };
        const path = `/api/organization-membership-invites/redeem/${newId()}`;
        return (await fetch(`${url}${path}`, { method: 'PATCH', headers })).status;
      };
      const tries = Array.from({ length: 24 }, (_, n) => redeem(n % 2 === 0 ? here : there));
      const statuses = (await Promise.all(tries)).sort();
      expect(statuses).to.deep.equal([...Array<number>(20).fill(404), 429, 429, 429, 429]);
    });

    it('bring 20 changes at one to a client of the other, each within 1 s of the answer', async () => {
      const took: number[] = [];
      for (let n = 0; n < 20; n += 1) took.push(await tookMs());
      print('Across two processes', took);
      expect(Math.max(...took)).to.be.below(1_000);
    });

    it('do so too right after the connections that listen were cut, five times', async () => {
      const took: number[] = [];
      const cut: number[] = [];
      for (let n = 1; n <= 5; n += 1) {
        cut.push(...(await cutListening(place, cut)));
        expect(cut).to.have.length(2 * n);
        took.push(await tookMs());
      }
      print('After the listening connections were cut', took);
      expect(Math.max(...took)).to.be.below(1_000);
    });
  });
}

const isAbout = ({ meta }: HubUpdateMessage, change: string) => meta.changes.includes(change);

/** Cuts both connections that listen, once both do; returns which were cut. */
async function cutListening(
  { databaseUrl }: Place,
  cutBefore: readonly number[],
): Promise<readonly number[]> {
  const client = new pg.Client(databaseUrl ?? '');
  await client.connect();
  // A cut connection is still listed for a moment.
  const find = `from pg_stat_activity where datname = current_database()
    and application_name = 'slipway-bus' and query like 'select%' and pid <> all ($1)`;
  const count = async () => (await client.query(`select pid ${find}`, [cutBefore])).rows.length;
  while ((await count()) < 2);
  const cut = await client.query<{ pid: number }>(`select pid, pg_terminate_backend(pid) ${find}`, [
    cutBefore,
  ]);
  await client.end();
  return cut.rows.map(({ pid }) => pid);
}

function print(what: string, took: readonly number[]): void {
  const sorted = took.map(Math.round).sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const worst = sorted.at(-1) ?? 0;
  process.stdout.write(`      ${what}: median ${String(median)} ms, worst ${String(worst)} ms\n`);
}
