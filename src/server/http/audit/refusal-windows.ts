import { limits } from '#protocol/limits.ts';
import type { AuditFact } from '#rules/audit/audit.ts';
import { recordAudit } from '../../access/audit.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import type { Services } from '../../domain/services.ts';
import { systemTimers } from '../../kernel/timers.ts';
import type { Timers } from '#base/timers.ts';

interface RefusedCaller {
  /** Who was refused; null: nobody who is signed in. */
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
  /** Settles when what a timer began to write is written. */
  writing: Promise<void>;
}

const MINUTE_MS = 60_000;
/** Beyond them the oldest ends before its minute does, so that they fit into memory. */
const MOST_WINDOWS = 10_000;

const refusalsOf = new WeakMap<Services, Refusals>();

/** From now on `timers` end the minutes in which refusals are counted. */
export function openRefusals(parts: Services, timers: Timers): Refusals {
  const refusals: Refusals = {
    timers,
    windows: new Map(),
    cancel: null,
    writing: Promise.resolve(),
  };
  refusalsOf.set(parts, refusals);
  return refusals;
}

/** Writes down how many refusals were left out so far; to be called before the database closes. */
export async function closeRefusals(parts: Services): Promise<void> {
  const refusals = refusalsOf.get(parts);
  if (refusals === undefined) return;
  refusals.cancel?.();
  refusalsOf.delete(parts);
  await refusals.writing;
  await write(parts, [...refusals.windows.values()]);
}

/**
 * Writes down, in a transaction of its own, what somebody did not get to do; so many a minute, for
 * who is refused must not be able to fill the disk. How many were left out is written down once the
 * minute has ended, for nobody must be able to hide an attempt behind others. Never throws: the
 * refusal stands, whether it was written down or not.
 *
 * @param wanted how many facts there are; the first `some` of them are asked for
 */
export async function auditRefused(
  parts: Services,
  of: RefusedCaller,
  wanted: number,
  factsOf: (tx: DatabaseTransaction, some: number) => Promise<readonly AuditFact[]>,
): Promise<void> {
  const refusals = refusalsOf.get(parts) ?? openRefusals(parts, systemTimers);
  const ended = takeEnded(refusals, parts.clock());
  const some = take(refusals, of, wanted, parts.clock());
  if (some < wanted) planEnd(parts, refusals);
  const writeSome = async (tx: DatabaseTransaction) => {
    await recordAudit(tx, await factsOf(tx, some), { at: parts.clock(), ...of });
  };
  await write(parts, ended, some === 0 ? null : writeSome);
}

/** Writes what the windows left out, and then what `more` writes. */
async function write(
  parts: Services,
  windows: readonly Window[],
  more: ((tx: DatabaseTransaction) => Promise<void>) | null = null,
): Promise<void> {
  const incomplete = windows.filter(({ leftOut }) => leftOut > 0);
  if (incomplete.length === 0 && more === null) return;
  try {
    await parts.db.transact(async (tx) => {
      for (const { of, leftOut } of incomplete)
        await recordAudit(tx, [leftOutOf(of, leftOut)], { at: parts.clock(), ...of });
      await more?.(tx);
    });
  } catch (error) {
    parts.log.error({ err: error }, 'A refusal was not written into the audit log');
  }
}

function leftOutOf({ by }: RefusedCaller, count: number): AuditFact {
  const subject = by === null ? null : ({ type: 'user', id: by } as const);
  return { kind: 'refusals-left-out', subject, before: null, after: { count } };
}

/** How many of `wanted` may be written down now. */
function take({ windows }: Refusals, of: RefusedCaller, wanted: number, now: number): number {
  const who = of.by ?? of.address ?? '';
  const window = windows.get(who) ?? { of, endsAt: now + MINUTE_MS, written: 0, leftOut: 0 };
  const taken = Math.min(wanted, limits.refusalsAuditedPerMinute - window.written);
  window.written += taken;
  window.leftOut += wanted - taken;
  windows.set(who, window);
  return taken;
}

/** Forgets the windows that have ended; they stand in the order of their ends. */
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
function planEnd(parts: Services, refusals: Refusals): void {
  const next = [...refusals.windows.values()].find(({ leftOut }) => leftOut > 0);
  if (next === undefined || refusals.cancel !== null) return;
  refusals.cancel = refusals.timers.after(next.endsAt - parts.clock(), () => {
    refusals.cancel = null;
    refusals.writing = write(parts, takeEnded(refusals, parts.clock()));
    planEnd(parts, refusals);
  });
}
