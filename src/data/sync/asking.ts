import type { Online, Told } from '../model/views.ts';
import type { Coordinator } from '@orbit/coordinator';
import { newId } from '#base/id.ts';
import type { TypeName } from '#schema/index.ts';
import type { AnsweredCommits } from './answered.ts';
import { addressOf } from './address.ts';
import type { AnswerSource, Environment } from '../model/environment.ts';
import { drawQueries } from './flow.ts';
import type { Gate } from './gate.ts';
import type { Asker } from '../store/lists.ts';
import type { Merge } from './merge.ts';
import type { News } from '../model/server-update.ts';
import { DoesNotFit, keyOf, recordFrom } from '../model/record.ts';
import type { StoreRecord } from '../model/record.ts';
import { NoAnswer } from '../model/answer.ts';
import type { Asking as Request, Remote } from './remote.ts';
import type { Store } from '../store/store.ts';
import { isUndecided } from './verdicts.ts';

interface Parts {
  readonly environment: Pick<Environment, 'clock' | 'random' | 'jsonApi' | 'report'>;
  readonly store: Store;
  readonly remote: Remote;
  readonly answered: AnsweredCommits;
  readonly merge: Merge;
  readonly gate: Gate;
}

/** Orbit's source of what the server answers, and the arrows that lead there and back. */
interface Opened {
  readonly source: AnswerSource;
  readonly flow: Coordinator;
}

const NO_ANSWER = { is: 'no-answer' } as const;

/**
 * Asks the server for what the device does not keep; answers enter where all news does. A tab that
 * follows gives them to the leading one, which keeps them, and holds them until it said so.
 */
export class Asking implements Asker, Online {
  readonly #parts: Parts;
  readonly #open = new Set<{ readonly since: number }>();
  readonly #unkept = new Map<string, News>();
  #opening: Promise<Opened> | null = null;
  /** Called with the records that an answer brought. */
  onAnswer: (found: readonly StoreRecord[]) => void = () => undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    parts.merge.onMerged(({ answer, isRelayed }) => {
      if (answer !== undefined && isRelayed === true) this.#unkept.delete(answer);
    });
  }

  readonly ask = async (
    type: TypeName,
    filter: Readonly<Record<string, unknown>>,
  ): Promise<void> => {
    const { merge } = this.#parts;
    const { source } = await this.#opened();
    const asked = { since: merge.now };
    this.#open.add(asked);
    const query = () =>
      source.query((q) => q.findRecords(type), { url: addressOf(type, filter) } as never);
    try {
      const before = source.leftOut;
      await query();
      if (source.leftOut > before) await query();
    } finally {
      this.#open.delete(asked);
    }
  };

  readonly look: Online['look'] = (address, body) =>
    this.#tell(address, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) });

  readonly deed: Online['deed'] = (address, body) => {
    const { clock, random } = this.#parts.environment;
    const headers = { 'Idempotency-Key': newId(clock, random) };
    const request = { method: 'POST', headers, body: JSON.stringify(body) } as const;
    return () => this.#tell(address, request);
  };

  async #tell(address: string, request: Request): Promise<Told<unknown>> {
    const { remote, gate, merge } = this.#parts;
    const asked = { since: merge.now };
    this.#open.add(asked);
    try {
      const answer = await remote.ask(address, { ...request, answers: 'json' });
      const [problem] = answer.errors;
      gate.closesOn(answer);
      if (isUndecided(answer.status)) return NO_ANSWER;
      if (problem !== undefined) return { is: 'refused', problem };
      this.#takeIn(answer.document);
      return { is: 'told', value: answer.document };
    } catch (error) {
      if (gate.closesFor(error) || error instanceof NoAnswer) return NO_ANSWER;
      throw error;
    } finally {
      this.#open.delete(asked);
    }
  }

  /** What does not fit is left out: the feed brings it. */
  #takeIn({ data }: Readonly<Record<string, unknown>>): void {
    if (data === undefined) return;
    try {
      this.onAnswer([recordFrom(data)]);
    } catch (error) {
      if (!(error instanceof DoesNotFit)) throw error;
      this.#parts.environment.report('An answer did not fit', error);
    }
  }

  /** What queries need comes with the first of them. @throws NoAnswer when it could not be had */
  #opened(): Promise<Opened> {
    return (this.#opening ??= this.#openFlow().catch((error: unknown) => {
      this.#opening = null;
      throw new NoAnswer({ is: 'silent', garbled: false }, error);
    }));
  }

  async #openFlow(): Promise<Opened> {
    const { environment, store, remote } = this.#parts;
    const { JsonApi } = await environment.jsonApi();
    const source = new JsonApi(store.schema, remote, environment.report);
    const flow = drawQueries(source, (found) => {
      this.onAnswer(found);
    });
    await flow.activate();
    return { source, flow };
  }

  /** Nothing is asked any more. */
  async close(): Promise<void> {
    await this.#opening?.then(
      ({ flow }) => flow.deactivate(),
      () => undefined,
    );
  }

  /** Takes in an answer. It says not which question it is for: what was removed since the oldest is gone. */
  heard(found: readonly StoreRecord[], isLeading: boolean): News {
    const { merge, gate, environment, answered } = this.#parts;
    const asked = Math.min(merge.now, ...[...this.#open].map(({ since }) => since));
    const items = found.map((record) => ({ is: 'update' as const, record }));
    const answer = newId(environment.clock, environment.random);
    const facts = { answered: answered.commits };
    const news = { items, answer, facts };
    if (!isLeading) this.#unkept.set(answer, news);
    try {
      merge.merge({ items, facts }, asked);
      gate.wentWell('answers');
    } catch (error) {
      environment.report('An answer could not be taken in', error);
      gate.hadProblem('answers', error);
    }
    return news;
  }

  /** Answers that no leading tab has kept yet. */
  get unkept(): Iterable<News> {
    return this.#unkept.values();
  }

  /** Keys of records in such answers: the backup lacks them for good reason. */
  unkeptKeys(): ReadonlySet<string> {
    return new Set(
      [...this.#unkept.values()].flatMap(({ items }) => items.map(({ record }) => keyOf(record))),
    );
  }

  /** This tab leads, and keeps them itself. */
  keep(): void {
    const facts = { answered: this.#parts.answered.commits };
    for (const { items } of this.#unkept.values()) this.#parts.merge.merge({ items, facts }, 0);
    this.#unkept.clear();
  }
}
