import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { TaskForm } from '#protocol/task-forms.ts';
import type { Of } from '#schema/index.ts';
import { sendTaskCommand } from '#data/actions/tasks.ts';
import type { ReleaseSaid } from '#data/actions/tasks.ts';
import type { ChangeState } from '#data/model/change.ts';
import type { ChangeRow } from '#data/model/views.ts';
import { useData } from '#data/react/hooks.ts';
import { useTroubleOf } from '../../app/page/use-attempt.ts';
import type { AttemptFailure } from '../../app/page/use-attempt.ts';

/** A command that was sent to a product, and what became of it. */
export interface CommandRow extends ChangeRow {
  readonly typed: Readonly<Record<'command' | 'state', string>> & Readonly<Record<string, unknown>>;
}

/** What is typed with a command; `release` null: its form leads to none. */
type Said = Readonly<{ comment: string; release: ReleaseSaid | null }>;

interface Commanding {
  /** The command that is on its way: no other can be sent meanwhile. */
  readonly underWay: CommandRow | null;
  /** The command that was not accepted, or waits for the person's word. */
  readonly needy: CommandRow | null;
  /** The one that is being kept on this device. */
  readonly keeping: string | null;
  /** A command was given here, or is on its way. */
  readonly hasActed: boolean;
  /** Says why it could not be kept. */
  readonly trouble: AttemptFailure | null;
  /** `onKept` once it is durable on this device: from there on it is sent by itself. */
  readonly sendCommand: (
    task: Of<'userTask'>,
    command: string,
    said: Said,
    onKept: () => void,
  ) => Promise<void>;
}

/** A command of this page's: the change that it is was not there before. */
interface SentCommandState {
  readonly before: ReadonlySet<string>;
  /** The version of the product at that time. */
  readonly version: number;
  readonly isLeaving: boolean;
}

interface About {
  readonly product: Of<'product'>;
  /** The state of the product's changes: rows are looked at only when there are some. */
  readonly change: ChangeState | null;
  readonly names: { readonly product: string; readonly project: string };
  readonly then: TaskForm['then'];
  /** The server took it; whether the form that it was given in is left then. */
  readonly onDone: (command: string, isLeaving: boolean) => void;
}

const UNDER_WAY: ReadonlySet<ChangeState> = new Set(['waiting', 'sending']);
const NEEDS_PERSON: ReadonlySet<ChangeState> = new Set(['refused', 'conflict', 'held', 'confirm']);

const silent = () => () => undefined;

/** Gives commands to the product's task, one at a time, and follows what becomes of them. */
export function useCommand({ product, change, names, then, onDone }: About): Commanding {
  const data = useData();
  const troubleOf = useTroubleOf();
  const isBusy = useRef(false);
  const [keeping, setKeeping] = useState<string | null>(null);
  const [trouble, setTrouble] = useState<AttemptFailure | null>(null);
  const [sent, setSent] = useState<SentCommandState | null>(null);

  const rows = useSentCommand(product.id, change !== null || sent !== null);
  const needy = rows.find(({ state }) => NEEDS_PERSON.has(state)) ?? null;
  const followed = rows.find(({ id }) => sent?.before.has(id) === false) ?? null;
  // The command is accepted, and its result is still on its way: the old step is over.
  const isLanding = followed?.state === 'done' && product.version === sent?.version;
  const underWay =
    rows.find((row) => UNDER_WAY.has(row.state) || (isLanding && row === followed)) ?? null;

  const reported = useRef<string | null>(null);
  useEffect(() => {
    if (followed?.state !== 'done' || reported.current === followed.id || sent === null) return;
    reported.current = followed.id;
    onDone(followed.typed.command, sent.isLeaving);
  }, [followed, sent, onDone]);

  const give: Commanding['sendCommand'] = async (task, command, said, onKept) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setKeeping(command);
    setTrouble(null);
    const known = data.changes.view().rows.filter((row) => isGiven(row, product.id));
    // A refused one gives way to what is given in its place.
    const putBack: (() => Promise<void>)[] = [];
    try {
      for (const { id, state } of known) {
        const back = state === 'refused' ? await data.changes.discard(id) : null;
        if (back !== null) putBack.unshift(back);
      }
      await sendTaskCommand(data, task, command, said.comment, names, said.release);
      onKept();
      setSent({
        before: new Set(known.map(({ id }) => id)),
        version: product.version,
        isLeaving: then === 'tasks',
      });
    } catch (error) {
      for (const back of putBack) await back();
      setTrouble(troubleOf(error));
    } finally {
      isBusy.current = false;
      setKeeping(null);
    }
  };
  const hasActed = sent !== null || underWay !== null;
  return { underWay, needy, keeping, hasActed, trouble, sendCommand: give };
}

/** The commands that were given to a product, newest first; none while `isWatching` is not. */
export function useSentCommand(product: string, isWatching: boolean): readonly CommandRow[] {
  const { changes } = useData();
  const view = useSyncExternalStore(isWatching ? changes.subscribe : silent, () =>
    isWatching ? changes.view() : null,
  );
  return useMemo(() => (view?.rows ?? []).filter((row) => isGiven(row, product)), [view, product]);
}

function isGiven(row: ChangeRow, product: string): row is CommandRow {
  return row.about.id === product && isCommand(row);
}

function isCommand({ typed }: ChangeRow): boolean {
  return typeof typed.command === 'string' && typeof typed.state === 'string';
}

/** Says whether a command waits to be sent, or is being sent. */
export const isUnderWay = (row: ChangeRow): boolean => isCommand(row) && UNDER_WAY.has(row.state);

/** Says whether a command needs the person's word before another one can be given. */
export const isNeedy = (row: ChangeRow): boolean => isCommand(row) && NEEDS_PERSON.has(row.state);

/** The comment that was typed with it; '' where there was none. */
export function commentOf(row: CommandRow | null): string {
  return typeof row?.typed.comment === 'string' ? row.typed.comment : '';
}
