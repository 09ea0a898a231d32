import type { Online, OnlineResult } from '../model/views.ts';
import type { Coordinator } from '@orbit/coordinator';
import { newId } from '#base/id.ts';
import type { TypeName } from '#schema/index.ts';
import type { UnconfirmedCommits } from './unconfirmed-commits.ts';
import { addressOf } from './address.ts';
import type { AnswerSource, Environment } from '../model/environment.ts';
import { createQueryCoordinator } from './coordinators.ts';
import type { SyncControl } from './sync-control.ts';
import type { ListFetcher } from '../store/lists.ts';
import type { MutableServerState } from './mutable-server-state.ts';
import type { ServerUpdate } from '../model/server-update.ts';
import { DoesNotFit, keyOf, recordFrom } from '../model/record.ts';
import type { StoreRecord } from '../model/record.ts';
import { NoResponseError } from '../model/answer.ts';
import type { ApiRequestOptions as Request, Remote } from './remote.ts';
import type { RecordStore } from '../store/store.ts';
import { isUndecided } from './verdicts.ts';

interface OnlineRequestsDependencies {
  readonly environment: Pick<Environment, 'clock' | 'random' | 'jsonApi' | 'report'>;
  readonly store: RecordStore;
  readonly remote: Remote;
  readonly unconfirmedCommits: UnconfirmedCommits;
  readonly serverState: MutableServerState;
  readonly syncControl: SyncControl;
}

/** Orbit's source of what the server answers, and the arrows that lead there and back. */
interface QuerySource {
  readonly source: AnswerSource;
  readonly flow: Coordinator;
}

const NO_ANSWER = { is: 'no-answer' } as const;

/**
 * Asks the server for what the device does not keep; answers enter where all news does. A tab that
 * follows gives them to the leading one, which keeps them, and holds them until it said so.
 */
export class OnlineRequests implements ListFetcher, Online {
  readonly #parts: OnlineRequestsDependencies;
  readonly #open = new Set<{ readonly since: number }>();
  readonly #unsavedAnswers = new Map<string, ServerUpdate>();
  #opening: Promise<QuerySource> | null = null;
  /** Called with the records that an answer brought. */
  onAnswer: (found: readonly StoreRecord[]) => void = () => undefined;

  constructor(parts: OnlineRequestsDependencies) {
    this.#parts = parts;
    parts.serverState.onApplied(({ answer, isRelayed }) => {
      if (answer !== undefined && isRelayed === true) this.#unsavedAnswers.delete(answer);
    });
  }

  readonly fetch = async (
    type: TypeName,
    filter: Readonly<Record<string, unknown>>,
  ): Promise<void> => {
    const { serverState: merge } = this.#parts;
    const { source } = await this.#querySource();
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

  readonly query: Online['query'] = (address, body) =>
    this.#send(address, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) });

  readonly command: Online['command'] = (address, body) => {
    const { clock, random } = this.#parts.environment;
    const headers = { 'Idempotency-Key': newId(clock, random) };
    const request = { method: 'POST', headers, body: JSON.stringify(body) } as const;
    return () => this.#send(address, request);
  };

  async #send(address: string, request: Request): Promise<OnlineResult<unknown>> {
    const { remote, syncControl, serverState: merge } = this.#parts;
    const asked = { since: merge.now };
    this.#open.add(asked);
    try {
      const answer = await remote.request(address, { ...request, answers: 'json' });
      const [problem] = answer.errors;
      syncControl.pauseIfRefused(answer);
      if (isUndecided(answer.status)) return NO_ANSWER;
      if (problem !== undefined) return { is: 'refused', problem };
      this.#receiveRecord(answer.document);
      return { is: 'told', value: answer.document };
    } catch (error) {
      if (syncControl.pauseIfSignInNeeded(error) || error instanceof NoResponseError)
        return NO_ANSWER;
      throw error;
    } finally {
      this.#open.delete(asked);
    }
  }

  /** What does not fit is left out: the feed brings it. */
  #receiveRecord({ data }: Readonly<Record<string, unknown>>): void {
    if (data === undefined) return;
    try {
      this.onAnswer([recordFrom(data)]);
    } catch (error) {
      if (!(error instanceof DoesNotFit)) throw error;
      this.#parts.environment.report('An answer did not fit', error);
    }
  }

  /** What queries need comes with the first of them. @throws NoAnswer when it could not be had */
  #querySource(): Promise<QuerySource> {
    return (this.#opening ??= this.#openQuerySource().catch((error: unknown) => {
      this.#opening = null;
      throw new NoResponseError({ is: 'silent', garbled: false }, error);
    }));
  }

  async #openQuerySource(): Promise<QuerySource> {
    const { environment, store, remote } = this.#parts;
    const { JsonApi } = await environment.jsonApi();
    const source = new JsonApi(store.schema, remote, environment.report);
    const flow = createQueryCoordinator(source, (found) => {
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
  applyAnswer(found: readonly StoreRecord[], isLeading: boolean): ServerUpdate {
    const { serverState: merge, syncControl: gate, environment, unconfirmedCommits } = this.#parts;
    const asked = Math.min(merge.now, ...[...this.#open].map(({ since }) => since));
    const items = found.map((record) => ({ is: 'update' as const, record }));
    const answer = newId(environment.clock, environment.random);
    const facts = { answered: unconfirmedCommits.commits };
    const news = { items, answer, facts };
    if (!isLeading) this.#unsavedAnswers.set(answer, news);
    try {
      merge.apply({ items, facts }, asked);
      gate.clearProblem('answers');
    } catch (error) {
      environment.report('An answer could not be taken in', error);
      gate.reportProblem('answers', error);
    }
    return news;
  }

  /** Answers that no leading tab has kept yet. */
  get unsavedAnswers(): Iterable<ServerUpdate> {
    return this.#unsavedAnswers.values();
  }

  /** Keys of records in such answers: the backup lacks them for good reason. */
  unsavedAnswerKeys(): ReadonlySet<string> {
    return new Set(
      [...this.#unsavedAnswers.values()].flatMap(({ items }) =>
        items.map(({ record }) => keyOf(record)),
      ),
    );
  }

  /** This tab leads, and keeps them itself. */
  applyUnsavedAnswers(): void {
    const facts = { answered: this.#parts.unconfirmedCommits.commits };
    for (const { items } of this.#unsavedAnswers.values())
      this.#parts.serverState.apply({ items, facts }, 0);
    this.#unsavedAnswers.clear();
  }
}
