import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Random } from '#base/id.ts';
import { headOf, identityOf } from './feed.ts';
import { randomName } from './random-name.ts';
import { begin, transaction } from './session.ts';

/** What a server has seen of its database, as of the newest commit. */
interface Seen {
  readonly identity: string;
  readonly n: number;
  /** The note's own place on the disk: a copy of the folder has another. */
  readonly place: string;
}

/**
 * The note in `DATA_DIR` by which a restored database is known: one whose newest commit is older than
 * what was seen, or, embedded, one that came back together with its folder. Its numbers will come a
 * second time, so it gets a new name, and every device reads it afresh (sync: epoch).
 */
export class EpochNote {
  readonly #file: number;
  readonly #place: string;
  readonly #left: Seen | null;
  #newest = 0;

  constructor(dataDir: string) {
    this.#file = openSync(join(dataDir, NAME), constants.O_RDWR | constants.O_CREAT, 0o600);
    this.#place = String(fstatSync(this.#file, { bigint: true }).ino);
    this.#left = seenIn(readFileSync(this.#file, 'utf8'));
  }

  isOfOther(identity: string, head: number, isInFolder: boolean): boolean {
    const left = this.#left;
    if (left?.identity !== identity) return false;
    return left.n > head || (isInFolder && left.place !== this.#place);
  }

  /** Cheap enough for every commit. A note that cannot be written is behind, and no reason to fail. */
  see(identity: string, n: number): void {
    this.#newest = Math.max(this.#newest, n);
    const seen = { identity, n: String(this.#newest).padStart(20, '0'), place: this.#place };
    try {
      writeSync(this.#file, `${JSON.stringify(seen)}\n`, 0);
    } catch {
      // The next commit tries again.
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

const NAME = 'epoch.json';

function seenIn(text: string): Seen | null {
  try {
    const { identity, n, place } = JSON.parse(text.split('\n')[0] ?? '') as Record<string, unknown>;
    return { identity: String(identity), n: Number(n), place: String(place) };
  } catch {
    return null;
  }
}

/** The database's name and newest commit; a restored one has been given a new name. */
export function settleEpoch(
  pool: pg.Pool,
  note: EpochNote | null,
  isInFolder: boolean,
  random: Random,
): Promise<{ readonly identity: string; readonly head: number }> {
  // The lock lets only the first of several servers that start at once give a name.
  return transaction({ pool, turns: null }, begin.write, async (tx) => {
    const { n: head } = await headOf(tx);
    const known = await identityOf(tx);
    if (note?.isOfOther(known, head, isInFolder) !== true) return { identity: known, head };
    const identity = randomName(random);
    await tx.query(sql`update database_identity set identity = ${identity}`);
    return { identity, head };
  });
}
