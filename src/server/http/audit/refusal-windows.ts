import { limits } from '#protocol/limits.ts';
import type { AuditFact } from '#rules/audit/audit.ts';
import { recordAudit } from '../../access/audit.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import type { Services } from '../../domain/services.ts';
import { systemTimers } from '../../kernel/timers.ts';
import type { Timers } from '#base/timers.ts';

interface RefusedCaller {
  /** The user who was refused; null: nobody who is signed in. */
  readonly by: string | null;
  readonly address: string | null;
}

/** The minute that begins with the first refusal of a person or address. */
interface Window {
  readonly of: RefusedCaller;
  readonly endsAt: number;
  written: number;
  leftOut: number;
}

interface Refusals {
  readonly timers: Timers;
  readonly windows: Map<string, Window>;
  /** Cancels the timer that ends the next window; null: nothing was left out. */
  cancel: (() => void) | null;
  /** Resolves when what a timer began to write is written. */
  writing: Promise<void>;
}

const MINUTE_MS = 60_000;
/** Beyond this number the oldest ends before its minute does, so that they fit into memory. */
const MOST_WINDOWS = 10_000;

const refusalsOf = new WeakMap<Services, Refusals>();

/** From now on `timers` end the minutes in which refusals are counted. */
export function openRefusals(services: Services, timers: Timers): Refusals {
  const refusals: Refusals = {
    timers,
    windows: new Map(),
    cancel: null,
    writing: Promise.resolve(),
  };
  refusalsOf.set(services, refusals);
  return refusals;
}

/** Writes how many refusals were left out so far; to be called before the database closes. */
export async function closeRefusals(services: Services): Promise<void> {
  const refusals = refusalsOf.get(services);
  if (refusals === undefined) return;
  refusals.cancel?.();
  refusalsOf.delete(services);
  await refusals.writing;
  await write(services, [...refusals.windows.values()]);
}

/**
 * Audits, in a transaction of its own, what somebody was refused; so many a minute, because a
 * refused person must not be able to fill the disk. The number of those left out is written once
 * the minute has ended, because nobody must be able to hide an attempt behind others. It never
 * throws: the refusal stands, whether it was written or not.
 *
 * @param wanted the number of facts; `factsOf` is called for the first of them
 */
export async function auditRefused(
  services: Services,
  of: RefusedCaller,
  wanted: number,
  factsOf: (tx: DatabaseTransaction, some: number) => Promise<readonly AuditFact[]>,
): Promise<void> {
  const refusals = refusalsOf.get(services) ?? openRefusals(services, systemTimers);
  const ended = takeEnded(refusals, services.clock());
  const some = take(refusals, of, wanted, services.clock());
  if (some < wanted) planEnd(services, refusals);
  const writeSome = async (tx: DatabaseTransaction) => {
    await recordAudit(tx, await factsOf(tx, some), { at: services.clock(), ...of });
  };
  await write(services, ended, some === 0 ? null : writeSome);
}

/** Writes what the windows left out, and then what `more` writes. */
async function write(
  services: Services,
  windows: readonly Window[],
  more: ((tx: DatabaseTransaction) => Promise<void>) | null = null,
): Promise<void> {
  const incomplete = windows.filter(({ leftOut }) => leftOut > 0);
  if (incomplete.length === 0 && more === null) return;
  try {
    await services.db.transact(async (tx) => {
      for (const { of, leftOut } of incomplete)
        await recordAudit(tx, [leftOutOf(of, leftOut)], { at: services.clock(), ...of });
      await more?.(tx);
    });
  } catch (error) {
    services.log.error({ err: error }, 'A refusal was not written into the audit log');
  }
}

function leftOutOf({ by }: RefusedCaller, count: number): AuditFact {
  const subject = by === null ? null : ({ type: 'user', id: by } as const);
  return { kind: 'refusals-left-out', subject, before: null, after: { count } };
}

/** Returns how many of `wanted` may be written now. */
function take({ windows }: Refusals, of: RefusedCaller, wanted: number, now: number): number {
  const who = of.by ?? of.address ?? '';
  const window = windows.get(who) ?? { of, endsAt: now + MINUTE_MS, written: 0, leftOut: 0 };
  const taken = Math.min(wanted, limits.refusalsAuditedPerMinute - window.written);
  window.written += taken;
  window.leftOut += wanted - taken;
  windows.set(who, window);
  return taken;
}

/** Removes the windows that have ended; they stand in the order of their ends. */
function takeEnded({ windows }: Refusals, now: number): readonly Window[] {
  const ended: Window[] = [];
  for (const [who, window] of windows) {
    // A clock that was set back must not make a minute last for hours.
    const isOpen = window.endsAt > now && window.endsAt <= now + MINUTE_MS;
    if (isOpen && windows.size <= MOST_WINDOWS) break;
    windows.delete(who);
    ended.push(window);
  }
  return ended;
}

/** A timer ends the oldest window that left something out, when nobody is refused any more. */
function planEnd(services: Services, refusals: Refusals): void {
  const next = [...refusals.windows.values()].find(({ leftOut }) => leftOut > 0);
  if (next === undefined || refusals.cancel !== null) return;
  refusals.cancel = refusals.timers.after(next.endsAt - services.clock(), () => {
    refusals.cancel = null;
    refusals.writing = write(services, takeEnded(refusals, services.clock()));
    planEnd(services, refusals);
  });
}
