import { limits } from '#protocol/limits.ts';
import type { AuditFact } from '#rules/audit.ts';
import { recordAudit } from './database/audit.ts';
import type { Tx } from './database/database.ts';
import type { Parts } from './parts.ts';

interface Window {
  readonly endsAt: number;
  count: number;
}

const MINUTE_MS = 60_000;
const FORGET_AT = 10_000;

/** How many of each person or address were written down within their minute. */
const windowsOf = new WeakMap<Parts, Map<string, Window>>();

/**
 * Writes down, in a transaction of its own, what somebody did not get to do; so many a minute, for
 * who is refused must not be able to fill the disk. Never throws: the refusal stands, whether it was
 * written down or not.
 *
 * @param wanted how many facts there are; the first `some` of them are asked for
 */
export async function auditRefused(
  parts: Parts,
  { by, address }: { readonly by: string | null; readonly address: string | null },
  wanted: number,
  factsOf: (tx: Tx, some: number) => Promise<readonly AuditFact[]>,
): Promise<void> {
  const some = take(parts, by ?? address ?? '', wanted);
  if (some === 0) return;
  try {
    await parts.db.transact(async (tx) => {
      await recordAudit(tx, await factsOf(tx, some), { at: parts.clock(), by, address });
    });
  } catch (error) {
    parts.log.error({ err: error }, 'A refusal was not written into the audit log');
  }
}

/** How many of `wanted` may be written down now. */
function take(parts: Parts, who: string, wanted: number): number {
  const windows = windowsOf.get(parts) ?? new Map<string, Window>();
  windowsOf.set(parts, windows);
  const now = parts.clock();
  if (windows.size > FORGET_AT)
    for (const [one, { endsAt }] of windows) if (endsAt <= now) windows.delete(one);

  const known = windows.get(who);
  const window =
    known === undefined || known.endsAt <= now ? { endsAt: now + MINUTE_MS, count: 0 } : known;
  const taken = Math.min(wanted, limits.refusalsAuditedPerMinute - window.count);
  window.count += taken;
  windows.set(who, window);
  return taken;
}
