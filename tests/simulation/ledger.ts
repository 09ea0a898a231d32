import type { Data } from '../../src/data/model/data.ts';
import { stateableOf } from '#data/model/record.ts';
import type { StorePatch, StoreRecord } from '#data/model/record.ts';
import type { ChangeRow } from '../../src/data/model/views.ts';
import type { TypeName } from '#schema/index.ts';
import type { Tab } from './browser.ts';

/** One act of a person in one tab, as they would remember it. */
export interface Intent {
  readonly n: number;
  readonly tab: Tab;
  readonly type: TypeName;
  readonly id: string;
  /** The values that they stated, by field; null: they removed the record. */
  readonly fields: Readonly<Record<string, unknown>> | null;
  /** The values that they saw in those fields then. */
  readonly seen: Readonly<Record<string, unknown>>;
  readonly isNew: boolean;
  /** It repeats something that was in need of the person. */
  readonly isAgain: boolean;
  readonly askedAt: number;
  /** When the device said that it has it; null: it never did. */
  savedAt: number | null;
  /** The device said that it can't keep it. */
  isRefused: boolean;
  /** The change that it became, or became a part of. */
  change: string | null;
}

export interface Elsewhere {
  readonly n: number;
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** Everything that people did. */
export class Ledger {
  readonly intents: Intent[] = [];
  /** Changes that a person gave up: discarded, undone, or settled for the other's value. */
  readonly givenUp = new Set<string>();
  /** What those stated: `record field value`. */
  readonly #givenUpValues = new Set<string>();
  /** Accepted by a database that has been put back to an earlier state since. */
  readonly acceptedBefore = new Set<string>();
  /** Changes that were made anew along with others when a person tried those again: by which intent. */
  readonly #madeAgain = new Map<string, number>();
  /** What others, who are not simulated, wrote into which commit. */
  elsewhere: Elsewhere[] = [];

  add(intent: Omit<Intent, 'n' | 'savedAt' | 'isRefused' | 'change'>): Intent {
    const noted: Intent = {
      ...intent,
      n: this.intents.length,
      savedAt: null,
      isRefused: false,
      change: null,
    };
    this.intents.push(noted);
    return noted;
  }

  /** A person gives up a change and what depends on it, as the panel says. */
  giveUp(data: Data, row: ChangeRow): void {
    const ids = new Set([row.id, ...row.dependants]);
    for (const one of data.changes.view().rows) {
      if (!ids.has(one.id)) continue;
      this.givenUp.add(one.id);
      for (const [field, value] of Object.entries(typedOf(data, one)))
        this.#givenUpValues.add(`${one.about.id} ${field} ${String(value)}`);
    }
  }

  /** Tells whether every value of `intent` was given up, in whatever change it was by then. */
  isGivenUp({ id, fields, change }: Intent): boolean {
    if (change !== null && this.givenUp.has(change)) return true;
    return Object.entries(fields ?? { '': null }).every((stated) =>
      this.isValueGivenUp(id, stated),
    );
  }

  /** Tells whether a change that stated this value was given up. */
  isValueGivenUp(id: string, [field, value]: readonly [string, unknown]): boolean {
    return this.#givenUpValues.has(`${id} ${field} ${String(value)}`);
  }

  /** The device said that it has it. */
  saved(intent: Intent, at: number): void {
    intent.savedAt = at;
    intent.change = changeOf(intent);
    if (!intent.isAgain) return;
    for (const { id } of intent.tab.data?.changes.view().rows ?? [])
      if (!this.#madeAgain.has(id)) this.#madeAgain.set(id, intent.n);
  }

  /** Tells whether it became a part of an older change. */
  isFolded({ n, change }: Intent): boolean {
    if (change === null) return false;
    return (
      this.intents.some((other) => other.n < n && other.change === change) ||
      (this.#madeAgain.get(change) ?? n) < n
    );
  }
}

/** The newest change on the device that states what the person stated. */
function changeOf({ tab, id, fields }: Intent): string | null {
  const { data } = tab;
  if (data === null) return null;
  const own = data.changes.view().rows.filter(({ about }) => about.id === id);
  if (fields === null) return own[0]?.id ?? null;
  const row = own.find((one) => {
    const typed = typedOf(data, one);
    return Object.entries(fields).every(([field, value]) => isSame(typed[field], value));
  });
  return row?.id ?? null;
}

/** The values that a person states with a change, by field, as it can be exported. */
export function typedOf(data: Data, { id }: ChangeRow): Readonly<Record<string, unknown>> {
  const text = data.changes.exportText(id);
  if (text === null) return {};
  const { operations = [] } = JSON.parse(text) as { operations?: readonly Exported[] };
  const typed: Record<string, unknown> = {};
  for (const { op, record } of operations) {
    // The rest of a new record is what the server will set.
    const { attributes, relationships }: Partial<StorePatch> =
      op === 'addRecord' ? stateableOf(record) : record;
    Object.assign(typed, attributes);
    for (const [field, link] of Object.entries(relationships ?? {}))
      typed[field] = link.data?.id ?? null;
  }
  return typed;
}

interface Exported {
  readonly op: string;
  readonly record: StoreRecord;
}

function isSame(a: unknown, b: unknown): boolean {
  return (a ?? null) === (b ?? null);
}
