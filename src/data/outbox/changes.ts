import type { Clock, Random } from '#base/id.ts';
import { newId } from '#base/id.ts';
import { rebaseChanges, dependencyChainOf, removeFields } from './rebase-changes.ts';
import { isUnderWay, needsPerson, saving } from '../model/change.ts';
import type { Change, FieldValues, Says } from '../model/change.ts';
import { changeRow, inConflict } from './change-row.ts';
import type { NewChange } from './coalesce.ts';
import type { PageState } from '../model/environment.ts';
import type { ServerState } from '../model/server-update.ts';
import type { Outbox } from './outbox.ts';
import { isSame, keyOf } from '../model/record.ts';
import type { Failure } from '../model/answer.ts';
import type { PauseReason, ChangeActions, ChangeRow, ChangesView, Status } from '../model/views.ts';
import { canDiscard, canUndo, undoOf } from './undo.ts';
import type { UnreadableChanges } from './unreadable.ts';

interface Observable {
  readonly onChange: (listener: () => void) => () => void;
}

interface ChangeListDependencies {
  readonly outbox: Outbox;
  readonly unreadable: UnreadableChanges;
  readonly serverState: ServerState;
  readonly syncControl: Observable & {
    readonly pauseReason: PauseReason | null;
    readonly problem: unknown;
  };
  readonly retry: Observable & { readonly last: Failure | null };
  readonly page: PageState;
  readonly clock: Clock;
  readonly random: Random;
  /** There is something to send, or to announce to other tabs. */
  readonly wake: () => void;
  /** Sends without further waiting, also if another tab sends. */
  readonly sendNow: () => void;
}

/** The person's changes, their states, and the actions on them. */
export class ChangeList implements ChangeActions {
  readonly #dependencies: ChangeListDependencies;
  readonly #listeners = new Set<() => void>();
  #view: ChangesView | null = null;

  constructor(dependencies: ChangeListDependencies) {
    this.#dependencies = dependencies;
    const notify = (): void => {
      this.#view = null;
      for (const listener of this.#listeners) listener();
    };
    const { outbox, unreadable, syncControl, retry, page } = dependencies;
    for (const each of [outbox, unreadable, syncControl, retry, page]) each.onChange(notify);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): ChangesView => (this.#view ??= this.#readView());

  #readView(): ChangesView {
    const dependencies = this.#dependencies;
    const { rows, waiting } = dependencies.outbox;
    const unreadable = dependencies.unreadable.rows;
    const attention = rows.counts.attention + unreadable.length;
    let listed: readonly ChangeRow[] | null = null;
    return {
      status: this.#statusOf(waiting, attention),
      // Who has to do something first is told that.
      serverError:
        dependencies.syncControl.pauseReason === null
          ? dependencies.retry.last?.serverError
          : undefined,
      waiting,
      attention,
      // Most readers want only the counts; there may be thousands of rows.
      get rows() {
        const open = [...rows.underWay(), ...rows.attention()].sort((a, b) => b.seq - a.seq);
        const list = (changes: readonly Change[]) =>
          changes.flatMap((row) => changeRow(row, dependencies) ?? []);
        return (listed ??= [...list(open), ...unreadable, ...list([...rows.done()].reverse())]);
      },
    };
  }

  /** The first status that holds (sync 8). */
  #statusOf(waiting: number, attention: number): Status {
    const { syncControl, retry, page } = this.#dependencies;
    const silence = retry.last?.is === 'silent' ? retry.last : null;
    if (syncControl.pauseReason === 'sign-in') return 'sign-in';
    if (
      syncControl.pauseReason !== null ||
      syncControl.problem !== null ||
      silence?.garbled === true
    )
      return 'problem';
    if (silence !== null || retry.last?.is === 'busy' || !page.isOnline()) return 'offline';
    if (attention > 0) return 'attention';
    return waiting > 0 ? 'saving' : 'saved';
  }

  /** Saves what a person did, shows it, and sends it. */
  async add(draft: NewChange): Promise<void> {
    const { outbox, serverState, wake } = this.#dependencies;
    const { changed, mended } = await saving(() => outbox.add(draft));
    serverState.rebase(changed);
    if (mended !== null) await this.tryAgain(mended.id);
    wake();
  }

  readonly tryAgain = async (id: string): Promise<void> => {
    const { outbox } = this.#dependencies;
    const row = outbox.find(id);
    if (row === null || !needsPerson(row)) return;
    const chain = dependencyChainOf(row, outbox);
    await this.#replaceRows(chain, rebaseChanges(chain, this.#dependencies));
  };

  readonly keepMine = (id: string): Promise<void> => this.tryAgain(id);

  readonly takeTheirs = async (id: string): Promise<void> => {
    const { outbox } = this.#dependencies;
    const row = outbox.find(id);
    if (row?.state !== 'conflict') return;
    const givenUp = new Map<string, Set<string>>();
    for (const [i, fields] of inConflict(row).entries()) {
      const operation = row.operations[i];
      if (operation !== undefined) givenUp.set(keyOf(operation.record), new Set(fields));
    }
    const chain = dependencyChainOf(row, outbox);
    // The fields that are not in conflict are still the person's and are sent as they made them.
    const rest = chain.flatMap((member) => {
      const out = member.operations.map(
        ({ record }) => givenUp.get(keyOf(record)) ?? new Set<string>(),
      );
      const left = removeFields(member, out);
      return left === null ? [] : [{ ...left, says: saysRest(left, member) }];
    });
    await this.#replaceRows(chain, rebaseChanges(rest, this.#dependencies));
  };

  readonly keepMerged = async (id: string, values: FieldValues): Promise<void> => {
    const { outbox, clock } = this.#dependencies;
    // Few ever need it; it is kept on the device with all that is loaded late.
    const { mergeConflict } = await import('./merge-conflict.ts');
    const row = outbox.find(id);
    if (row?.state !== 'conflict') return;
    const chain = dependencyChainOf(row, outbox);
    const next = mergeConflict(row, chain, values, new Date(clock()).toISOString());
    await this.#replaceRows(chain, rebaseChanges(next, this.#dependencies));
  };

  readonly confirm = (id: string): Promise<void> => this.tryAgain(id);

  readonly undo = async (id: string): Promise<void> => {
    const { outbox, clock, random } = this.#dependencies;
    const row = outbox.find(id);
    if (row === null || !canUndo(row, outbox.rows)) return;
    const all = [row, ...outbox.dependants(row)];
    if (isUnderWay(row) && all.every((one) => !isUnderWay(one) || one.attempts === 0)) {
      // If it was taken to be sent meanwhile, it is in flight, and is undone in another way.
      if (!(await this.#replaceRows(all, []))) await this.undo(id);
      return;
    }
    const made = { id: newId(clock, random), madeAt: clock(), schema: row.schema };
    const draft = undoOf(row, made);
    if (draft !== null) await this.add(draft);
  };

  readonly discard = async (id: string): Promise<(() => Promise<void>) | null> => {
    const { outbox, unreadable, clock, random } = this.#dependencies;
    if (unreadable.has(id)) return saving(() => unreadable.discard(id));
    const row = outbox.find(id);
    if (row === null || !canDiscard(row)) return null;
    const all = [row, ...outbox.dependants(row)];
    if (!(await this.#replaceRows(all, []))) return null;
    // The verdict on an id is final: a change that was sent once comes back with another id.
    const back = all.map((gone) =>
      gone.attempts === 0 ? gone : { ...gone, id: newId(clock, random) },
    );
    return async () => {
      await this.#replaceRows([], back);
    };
  };

  /** Returns whether it was done: it is not when one of `take` is not as it was. */
  async #replaceRows(take: readonly Change[], put: readonly Change[]): Promise<boolean> {
    const { outbox, serverState, wake } = this.#dependencies;
    const { changed, isDone } = await saving(() => outbox.replaceRows(take, put));
    serverState.rebase(changed);
    if (isDone) wake();
    return isDone;
  }

  /** Tries at once; only a wait that the server asked for is kept. */
  readonly sendNow = (): void => {
    this.#dependencies.sendNow();
  };

  readonly exportText = (id: string): string | null => {
    const { outbox, unreadable } = this.#dependencies;
    if (unreadable.has(id)) return unreadable.exportText(id);
    const row = outbox.find(id);
    if (row === null) return null;
    const { operations, call, basedOn, base, theirs, says, state, madeAt, problem } = row;
    const made = new Date(madeAt).toISOString();
    const what = { operations, call, basedOn, base, theirs };
    return JSON.stringify({ id, made, says, state, problem, ...what }, null, 2);
  };
}

/** The rest of a change of several fields reads as an edit. */
function saysRest(left: Change, { says, operations }: Change): Says {
  const isWhole = isSame(left.operations, operations);
  if (isWhole || left.operations[0]?.record.type !== 'project') return says;
  const { name, from } = says[1];
  return ['changes.project.edit', { name: from ?? name ?? '' }];
}
