import { createHash } from 'node:crypto';
import { ProblemError, statusOf } from '#protocol/problem.ts';
import { canonical } from '#rules/record/equal.ts';
import { recordedOf, recordVerdicts } from '../../db/changes.ts';
import type { NewVerdict, RecordedVerdict } from '../../db/changes.ts';
import type { WriteTransaction } from '../../db/database.ts';

/** Returns the SHA-256 of `content`; the order of its keys does not count. */
function digestOf(content: unknown): string {
  return createHash('sha256').update(canonical(content)).digest('hex');
}

/**
 * Returns true for a refusal of the change itself, which is then its verdict for ever (wire 7.3).
 */
export function isFinal(error: ProblemError): boolean {
  const { code } = error.problem;
  if (code === 'change-id-reused' || code === 'user-locked' || code === 'not-a-member')
    return false;
  return [403, 404, 409, 410, 422].includes(statusOf(error));
}

/**
 * Holds what was decided before on some changes of one person, and what one transaction decides.
 */
export class Verdicts<V> {
  readonly #known: ReadonlyMap<string, RecordedVerdict<V>>;
  readonly #fresh: NewVerdict[] = [];

  private constructor(known: ReadonlyMap<string, RecordedVerdict<V>>) {
    this.#known = known;
  }

  static async on<V>(
    write: WriteTransaction,
    author: string,
    ids: readonly (string | null)[],
  ): Promise<Verdicts<V>> {
    const named = ids.flatMap((id) => id ?? []);
    return new Verdicts<V>(await recordedOf<V>(write, author, named));
  }

  /**
   * Returns the recorded verdict; null for a change that is new. @throws ProblemError
   * `change-id-reused`
   */
  known(id: string | null, content: unknown): V | null {
    const recorded = id === null ? undefined : this.#known.get(id);
    if (recorded === undefined) return null;
    if (recorded.digest !== digestOf(content)) throw new ProblemError({ code: 'change-id-reused' });
    return recorded.verdict;
  }

  add(id: string | null, content: unknown, verdict: V): void {
    if (id !== null) this.#fresh.push({ id, digest: digestOf(content), verdict });
  }

  /** Records the verdicts that were added. */
  async record(write: WriteTransaction, author: string): Promise<void> {
    await recordVerdicts(write, author, this.#fresh);
  }
}
