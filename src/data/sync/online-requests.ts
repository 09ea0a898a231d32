import type { Online, OnlineResult } from '../model/views.ts';
import type { Coordinator } from '@orbit/coordinator';
import { newId } from '#base/id.ts';
import type { TypeName } from '#schema/index.ts';
import type { UnconfirmedCommits } from './unconfirmed-commits.ts';
import { wireFieldOf } from '#protocol/names.ts';
import { paths } from '#protocol/paths.ts';
import type { ServerError } from '#protocol/server-error.ts';
import type { AnswerSource, Environment } from '../model/environment.ts';
import { createQueryCoordinator } from './coordinators.ts';
import type { Refreshes } from './refreshes.ts';
import type { SyncControl } from './sync-control.ts';
import type { ListFetcher } from '../store/lists.ts';
import type { MutableServerState } from './mutable-server-state.ts';
import type { ServerUpdate, ServerUpdateItem } from '../model/server-update.ts';
import { DoesNotFit, keyOf, recordFrom } from '../model/record.ts';
import type { StoreIdentity, StoreRecord } from '../model/record.ts';
import { busyError, NoResponseError, silence } from '../model/answer.ts';
import type { ApiResponse } from '../model/answer.ts';
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
  readonly refreshes: Refreshes;
}

/** Orbit's source of the server's answers, with its coordinator. */
interface QuerySource {
  readonly source: AnswerSource;
  readonly flow: Coordinator;
}

/**
 * Requests from the server what the device does not keep; answers are applied like every server
 * update. A follower sends them to the leader to be saved, and holds them until the leader
 * confirms.
 */
export class OnlineRequests implements ListFetcher, Online {
  readonly #dependencies: OnlineRequestsDependencies;
  readonly #open = new Set<{ readonly since: number }>();
  readonly #unsavedAnswers = new Map<string, ServerUpdate>();
  #opening: Promise<QuerySource> | null = null;
  /** Called with the records that an answer brought, and with those that it says are gone. */
  onAnswer: (found: readonly StoreRecord[], gone?: readonly StoreIdentity[]) => void = () =>
    undefined;

  constructor(dependencies: OnlineRequestsDependencies) {
    this.#dependencies = dependencies;
    dependencies.serverState.onApplied(({ answer, isRelayed }) => {
      if (answer !== undefined && isRelayed === true) this.#unsavedAnswers.delete(answer);
    });
  }

  readonly fetch = async (
    type: TypeName,
    filter: Readonly<Record<string, unknown>>,
  ): Promise<void> => {
    const { source } = await this.#querySource();
    const query = () =>
      source.query((q) => q.findRecords(type), { url: addressOf(type, filter) } as never);
    await this.#whileOpen(async () => {
      const before = source.leftOut;
      await this.#dependencies.refreshes.run(query);
      if (source.leftOut > before) await query();
    });
  };

  /** Does `request`, while records that are removed stay removed, whatever is answered. */
  async #whileOpen<T>(request: () => Promise<T>): Promise<T> {
    const openRequest = { since: this.#dependencies.serverState.now };
    this.#open.add(openRequest);
    try {
      return await request();
    } finally {
      this.#open.delete(openRequest);
    }
  }

  readonly query: Online['query'] = (address, body) =>
    this.#send(address, body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) });

  readonly command: Online['command'] = (address, body, method = 'POST') => {
    const { clock, random } = this.#dependencies.environment;
    const headers = { 'Idempotency-Key': newId(clock, random) };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    return () => this.#send(address, { method, headers, ...content });
  };

  /**
   * Asks for a document, which `receive` passes on to `onAnswer`. Where there was no answer,
   * `unanswered` is told what stood before the server said instead, if anything.
   */
  async read(
    address: string,
    receive: (answer: ApiResponse) => void,
    unanswered: (serverError?: ServerError) => void = () => undefined,
    request: Request = {},
  ): Promise<void> {
    const { remote, syncControl, environment } = this.#dependencies;
    try {
      await this.#whileOpen(async () => {
        receive(await remote.request(address, request));
      });
    } catch (error) {
      const isSilence = error instanceof NoResponseError;
      if (!syncControl.pauseIfSignInNeeded(error) && !isSilence)
        environment.report('An answer could not be read', error);
      unanswered(isSilence ? error.failure.serverError : undefined);
    }
  }

  async #send(address: string, request: Request): Promise<OnlineResult<unknown>> {
    const { remote, syncControl } = this.#dependencies;
    try {
      return await this.#whileOpen(async () => {
        const answer = await remote.request(address, { ...request, answers: 'json' });
        const [problem] = answer.errors;
        syncControl.pauseIfRefused(answer);
        if (isUndecided(answer.status)) throw busyError(answer);
        if (problem !== undefined) return { is: 'refused', problem };
        this.#receiveRecord(answer.document);
        return { is: 'told', value: answer.document };
      });
    } catch (error) {
      if (syncControl.pauseIfSignInNeeded(error)) return { is: 'no-answer' };
      if (!(error instanceof NoResponseError)) throw error;
      return { is: 'no-answer', serverError: error.failure.serverError };
    }
  }

  /**
   * A record that does not fit is left out: the feed brings it. The rows of a list are no business of
   * the copy: the page that asks shows them.
   */
  #receiveRecord({ data }: Readonly<Record<string, unknown>>): void {
    if (data === undefined || Array.isArray(data)) return;
    try {
      this.onAnswer([recordFrom(data)]);
    } catch (error) {
      if (!(error instanceof DoesNotFit)) throw error;
      this.#dependencies.environment.report('An answer did not fit', error);
    }
  }

  /**
   * Loads the code for queries with the first of them.
   *
   * @throws NoResponseError when it cannot be loaded
   */
  #querySource(): Promise<QuerySource> {
    return (this.#opening ??= this.#openQuerySource().catch((error: unknown) => {
      this.#opening = null;
      throw silence(error);
    }));
  }

  async #openQuerySource(): Promise<QuerySource> {
    const { environment, store, remote } = this.#dependencies;
    const { JsonApi } = await environment.jsonApi();
    const source = new JsonApi(store.schema, remote, environment.report);
    const coordinator = createQueryCoordinator(source, (found) => {
      this.onAnswer(found);
    });
    await coordinator.activate();
    return { source, flow: coordinator };
  }

  /** From now on nothing is requested. */
  async close(): Promise<void> {
    await this.#opening?.then(
      ({ flow: coordinator }) => coordinator.deactivate(),
      () => undefined,
    );
  }

  /**
   * Applies an answer. It does not say which request it is for: records that were removed since the
   * oldest open one stay removed.
   */
  applyAnswer(
    found: readonly StoreRecord[],
    gone: readonly StoreIdentity[],
    isLeading: boolean,
  ): ServerUpdate {
    const { serverState, syncControl, environment, unconfirmedCommits } = this.#dependencies;
    const requestedAt = Math.min(serverState.now, ...[...this.#open].map(({ since }) => since));
    const items: ServerUpdateItem[] = [
      ...found.map((record) => ({ is: 'update' as const, record })),
      ...gone.map((record) => ({ is: 'remove' as const, record })),
    ];
    const answer = newId(environment.clock, environment.random);
    const facts = { answered: unconfirmedCommits.commits };
    const update = { items, answer, facts };
    if (!isLeading) this.#unsavedAnswers.set(answer, update);
    try {
      serverState.apply(update, requestedAt);
      syncControl.clearProblem('answers');
    } catch (error) {
      environment.report('An answer could not be taken in', error);
      syncControl.reportProblem('answers', error);
    }
    return update;
  }

  /** Answers that no leader has saved yet. */
  get unsavedAnswers(): Iterable<ServerUpdate> {
    return this.#unsavedAnswers.values();
  }

  /** Keys of the records in these answers: the backup lacks them for good reason. */
  unsavedAnswerKeys(): ReadonlySet<string> {
    return new Set(
      [...this.#unsavedAnswers.values()].flatMap(({ items }) =>
        items.map(({ record }) => keyOf(record)),
      ),
    );
  }

  /** This tab leads now, and saves them itself. */
  applyUnsavedAnswers(): void {
    const facts = { answered: this.#dependencies.unconfirmedCommits.commits };
    for (const update of this.#unsavedAnswers.values())
      this.#dependencies.serverState.apply({ ...update, facts }, 0);
    this.#unsavedAnswers.clear();
  }
}

/** The address at which the server lists `type` with `filter` (wire 5). */
export function addressOf(type: TypeName, filter: Readonly<Record<string, unknown>>): string {
  const parameters = Object.entries(filter).map(([path, wanted]) => {
    const name = path
      .split('.')
      .map((field) => wireFieldOf(type, field))
      .join('.');
    return `filter[${name}]=${encodeURIComponent(filterText(wanted))}`;
  });
  return parameters.length === 0 ? paths.list(type) : `${paths.list(type)}?${parameters.join('&')}`;
}

function filterText(wanted: unknown): string {
  if (typeof wanted === 'object' && wanted !== null && 'anyOf' in wanted)
    return `in:${String(wanted.anyOf)}`;
  if (typeof wanted === 'object' && wanted !== null)
    return 'isNull' in wanted ? 'isnull:' : 'isnotnull:';
  return wanted === null ? 'isnull:' : `eq:${JSON.stringify(wanted).replace(/^"|"$/g, '')}`;
}
