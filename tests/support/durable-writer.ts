import { openAt } from './database.ts';
import { aCause, newId } from './make.ts';

/**
 * A process that writes pairs, a person and their organization, as fast as it can until it is
 * killed, and says the person's id once the write is acknowledged.
 */
const [, , dataDir = '', databaseUrl = ''] = process.argv;
const { db } = await openAt({ dataDir, databaseUrl: databaseUrl === '' ? null : databaseUrl });

async function writeOn(): Promise<never> {
  for (;;) {
    const id = newId();
    await db.write(aCause(id, id), async (w) => {
      await w.insert('user', { id, name: 'Durable' });
      await w.insert('organization', { id, name: 'Durable', owner: id });
    });
    process.stdout.write(`${id}\n`);
  }
}

await Promise.all([writeOn(), writeOn(), writeOn(), writeOn()]);
