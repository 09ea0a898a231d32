import { ProblemError } from '#protocol/problem.ts';
import type { DatabaseTransaction, WriteTransaction } from '../database.ts';
import { countExactly, forgetCount } from './exact-counts.ts';
import type { Counted } from './exact-counts.ts';
import { PlainCounts } from './plain-counts.ts';
import type { PlainCountsOptions } from './plain-counts.ts';
import { limitTable } from './limit-table.ts';
import type { ExactLimit, Limit, LimitName, PlainLimit } from './limit-table.ts';

/** The one place that limits how often something is done, over all processes (wire 15.2). */
export interface RateLimiter {
  /**
   * Counts one more of an exact limit in the open transaction, or `amount` more, and says whether
   * that is allowed. A transaction or savepoint that is undone takes the count back with it.
   */
  count(tx: DatabaseTransaction, name: ExactLimit, key: string, amount?: number): Promise<Counted>;
  /** Does the same as `count`. @throws ProblemError 429 when it is too many */
  require(tx: DatabaseTransaction, name: ExactLimit, key: string, amount?: number): Promise<void>;
  /**
   * Does the same as `require`, for a try that reveals something even when it is refused: a caller
   * that undoes it counts it again by the result of `triesOf`.
   */
  requireLasting(write: WriteTransaction, name: ExactLimit, key: string): Promise<void>;
  /** From now on collects the lasting tries of `write`; the answer counts them again. */
  triesOf(write: WriteTransaction): (tx: DatabaseTransaction) => Promise<void>;
  /** Removes the count, for example after the right password. */
  forget(tx: DatabaseTransaction, name: ExactLimit, key: string): Promise<void>;
  /** Counts one more of a plain limit. @throws ProblemError 429 when it is one too many */
  requireRate(name: PlainLimit, key: string): void;
  /** Shares what this process has counted, and stops. */
  stop(): Promise<void>;
}

export interface LimitOptions {
  /** The numbers that are allowed instead of those of the table. */
  readonly most?: Partial<Readonly<Record<LimitName, number>>>;
  /** Installations that share a database count apart under names of their own. */
  readonly installation?: string;
}

export function openLimits(
  plainOptions: PlainCountsOptions,
  options: LimitOptions = {},
): RateLimiter {
  const { most = {}, installation = '' } = options;
  const plain = new PlainCounts(plainOptions);
  const limitOf = (name: LimitName): Limit => {
    const limit: Limit = limitTable[name];
    return { ...limit, most: most[name] ?? limit.most };
  };
  const keyOf = (name: LimitName, key: string) =>
    `${installation === '' ? '' : `${installation} `}${name} ${key}`;
  const count: RateLimiter['count'] = (tx, name, key, amount) =>
    countExactly(tx, keyOf(name, key), limitOf(name), plainOptions.clock(), amount);

  const require: RateLimiter['require'] = async (tx, name, key, amount) => {
    const { waitSeconds } = await count(tx, name, key, amount);
    if (waitSeconds > 0) throw tooManyRequests(waitSeconds);
  };
  const tries = new WeakMap<WriteTransaction, (readonly [ExactLimit, string])[]>();

  return {
    count,
    require,
    requireLasting: async (write, name, key) => {
      await require(write, name, key);
      tries.get(write)?.push([name, key]);
    },
    triesOf: (write) => {
      const collected = tries.get(write) ?? [];
      tries.set(write, collected);
      const from = collected.length;
      return async (tx) => {
        for (const [name, key] of collected.slice(from)) await count(tx, name, key);
      };
    },
    forget: (tx, name, key) => forgetCount(tx, keyOf(name, key)),
    requireRate: (name, key) => {
      const waitSeconds = plain.count(keyOf(name, key), limitOf(name));
      if (waitSeconds > 0) throw tooManyRequests(waitSeconds);
    },
    stop: () => plain.stop(),
  };
}

function tooManyRequests(waitSeconds: number): ProblemError {
  const headers = { 'Retry-After': String(waitSeconds) };
  return new ProblemError({ code: 'too-many-requests' }, headers);
}
