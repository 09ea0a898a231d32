import { expect } from 'chai';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '#server/db/database.ts';
import { addPasskey, removePasskey } from '#server/domain/accounts/passkeys.ts';
import {
  prepareSecondFactor,
  secondFactorOf,
  switchCodesOff,
  switchSecondFactorOff,
  switchSecondFactorOn,
} from '#server/domain/accounts/second-factor.ts';
import { newId } from '../../../support/make.ts';
import { oneTimeCode } from '../../../support/one-time-code.ts';
import { anAccount } from '../../http/identity/people.ts';
import { openPlace } from '../../http/identity/place.ts';
import type { Place } from '../../http/identity/place.ts';

describe('[wire 2.5] a second factor that two requests change at the same time', function () {
  this.timeout(60_000);
  let place: Place;
  before(async () => {
    place = await openPlace();
  });
  after(() => place.close());

  const transact = <T>(work: (tx: DatabaseTransaction) => Promise<T>) =>
    place.parts.db.transact(work);
  const add = (tx: DatabaseTransaction, account: string) => {
    const passkey = {
      credentialId: newId(),
      publicKey: 'a',
      counter: 0,
      transports: [],
      name: 'A',
    };
    return addPasskey(tx, account, passkey, place.parts);
  };
  const passkeyOf = async (account: string) => {
    const [row] = await transact((tx) =>
      tx.query(sql<{ readonly id: string }>`select id from passkeys where account_id = ${account}`),
    );
    return row?.id ?? '';
  };
  /** Somebody with one-time codes and a passkey. */
  const withBoth = async (email: string) => {
    const account = await anAccount(place, email);
    const { db, clock, random } = place.parts;
    const means = { secrets: db.secrets, clock, random };
    await transact(async (tx) => {
      const secret = (await prepareSecondFactor(tx, account, means)) ?? '';
      const code = oneTimeCode(secret, clock());
      await switchSecondFactorOn(tx, account, { secret, code }, means);
      await add(tx, account);
    });
    return account;
  };
  /**
   * Does `first`, and begins `second` before that is committed: on PostgreSQL it waits there. The
   * embedded database does one after the other.
   */
  const together = async <A, B>(
    first: (tx: DatabaseTransaction) => Promise<A>,
    second: (tx: DatabaseTransaction) => Promise<B>,
  ): Promise<B> => {
    let open: () => void = () => undefined;
    const isFirstDone = new Promise<void>((done) => (open = done));
    const ended = transact(async (tx) => {
      await first(tx);
      open();
      while (place.parts.db.kind === 'postgres' && !(await isWaiting(tx)));
    });
    await Promise.race([isFirstDone, ended]);
    const begun = transact(second);
    await ended;
    return begun;
  };
  const isWaiting = async (tx: DatabaseTransaction) => {
    const rows = await tx.query(sql`select from pg_locks where not granted`);
    return rows.length > 0;
  };

  it('never loses both its codes and its last passkey', async () => {
    const account = await withBoth('ana@races.test');
    const passkey = await passkeyOf(account);
    const isOff = await together(
      (tx) => removePasskey(tx, account, passkey),
      (tx) => switchCodesOff(tx, account),
    );
    expect(isOff, 'codes went too').to.equal(false);
    const factor = await transact((tx) => secondFactorOf(tx, account));
    expect(factor).to.include({ passkeys: 0 });
    expect(factor?.codesSince).to.be.a('string');
  });

  it('begins anew with the passkey that is added while it is switched off', async () => {
    const account = await withBoth('ben@races.test');
    const added = await together(
      (tx) => switchSecondFactorOff(tx, account),
      (tx) => add(tx, account),
    );
    expect(added.is === 'added' && added.codes).to.have.length(10);
    const factor = await transact((tx) => secondFactorOf(tx, account));
    expect(factor).to.deep.include({ passkeys: 1, codesSince: null, codesLeft: 10 });
  });
});
