import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { freshFolder } from '../../support/server.ts';
import { openAt, runStatement } from '../../support/database.ts';

const url = process.env.DATABASE_URL ?? '';

if (url !== '')
  describe('a role of PostgreSQL that owns its database and may do nothing else', () => {
    const name = `slipway_test_${randomBytes(6).toString('hex')}`;
    const own = new URL(url);
    const run = (statement: string) => runStatement(url, statement);

    before(async () => {
      await run(`create role ${name} login password '${name}'
        nosuperuser nocreatedb nocreaterole noreplication nobypassrls`);
      await run(`create database ${name} owner ${name}`);
      [own.username, own.password, own.pathname] = [name, name, `/${name}`];
    });
    after(async () => {
      await run(`drop database ${name} with (force)`);
      await run(`drop role ${name}`);
    });

    it('is all that the server needs, to make its tables and to work with them', async () => {
      const place = { databaseUrl: own.href, dataDir: freshFolder() };
      for (const start of ['first', 'second']) {
        const opened = await openAt(place);
        try {
          const [row] = await opened.db.read((tx) =>
            tx.query(
              sql<{ readonly role: string; readonly isSuper: boolean }>`select rolname as role,
                rolsuper as "isSuper" from pg_roles where rolname = current_user`,
            ),
          );
          expect(row, start).to.deep.equal({ role: name, isSuper: false });
          const roles = await opened.db.read((tx) => tx.all('role', {}));
          expect(roles).to.have.lengthOf(4);
        } finally {
          await opened.close();
        }
      }
    });
  });
