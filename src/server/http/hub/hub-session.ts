import { isObject } from '#base/is-object.ts';
import { parseJson } from '#base/json.ts';
import { performOperations } from '../api/operations.ts';
import { callerOf } from '../../domain/accounts/caller.ts';
import { loadViewer } from '../../access/viewer.ts';
import { newId } from '#base/id.ts';
import { closeReasons, hubMethods } from '#protocol/hub.ts';
import type { Subscription } from '#protocol/hub.ts';
import { limits } from '#protocol/limits.ts';
import { errorObject, ProblemError } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import type { Caller } from '../../domain/accounts/caller.ts';
import type { Services } from '../../domain/services.ts';
import type { Broadcast } from './broadcast.ts';
import { channelCalled, checkChannel } from './channels.ts';
import { Connection, InvocationError } from './connection.ts';
import type { ConnectionHandler } from './connection.ts';
import { Subscriber } from './subscriber.ts';
import type { Timers } from '#base/timers.ts';
import type { TransportListener, Transport } from './transport.ts';

/** The client that connects, with its token. */
export interface ConnectingClient {
  readonly caller: Caller;
  readonly bearer: string | null;
}

export interface HubContext {
  readonly services: Services;
  readonly timers: Timers;
  readonly broadcast: Broadcast;
}

/**
 * The owner decides how much may wait, and learns of the end of a session; see `ConnectionHandler`.
 */
export type SessionOwner = Pick<ConnectionHandler, 'admits' | 'completed' | 'ended' | 'finished'>;

/** A connection, and the methods of the hub behind it (wire 10.2, 10.4). */
export class HubSession {
  readonly connection: Connection;
  private readonly context: HubContext;
  private readonly client: ConnectingClient;
  private readonly subscriber: Subscriber;
  private readonly stopExpiry: () => void;

  constructor(
    hubContext: HubContext,
    client: ConnectingClient,
    connect: (listener: TransportListener) => Transport,
    owner: SessionOwner,
  ) {
    const { services, timers, broadcast } = hubContext;
    this.context = hubContext;
    this.client = client;
    const service = {
      call: (target: string, values: readonly unknown[]) => this.call(target, values),
      drained: () => {
        this.subscriber.announceMissed();
      },
      ended: () => {
        this.stopExpiry();
        broadcast.leave(this.subscriber);
        owner.ended();
      },
      finished: () => {
        owner.finished();
      },
      admits: (size: number) => owner.admits(size),
      completed: (size: number) => {
        owner.completed(size);
      },
      failed: (error: unknown) => {
        services.log.error({ err: error }, 'A bug in a method of the hub');
      },
    };
    this.connection = new Connection(service, { clock: services.clock, timers }, connect);
    this.subscriber = new Subscriber(client.caller, services.db.identity, this.connection);
    this.stopExpiry = timers.after(untilExpiry(client.caller, services), () => {
      this.connection.close(closeReasons.notSignedIn, true);
    });
    broadcast.join(this.subscriber).catch((error: unknown) => {
      services.log.warn({ err: error }, 'A connection could not be told of the feed');
      this.connection.close(null, true);
    });
  }

  private call(target: string, [value]: readonly unknown[]): Promise<unknown> {
    // Accepted invocations run after the client has gone; there is nobody to subscribe then.
    if (!this.connection.isOpen && target !== hubMethods.perform) return Promise.resolve(null);
    switch (target) {
      case hubMethods.subscribe:
        return this.subscribe(value);
      case hubMethods.unsubscribe:
        return this.unsubscribe(value);
      case hubMethods.perform:
        return this.perform(value);
      default:
        return Promise.reject(new InvocationError('not-found'));
    }
  }

  /**
   * Subscribes first and checks then, so that nothing that happens in between is missed. The client
   * holds a record only once the check allows it: nobody is told of the removal of a record of which
   * they may not know. A record that a commit hid meanwhile is checked again.
   */
  private async subscribe(name: unknown): Promise<Subscription> {
    this.requireRate();
    const { services, broadcast } = this.context;
    const channel = channelCalled(name);
    const { channels } = this.subscriber;
    const known = channels.get(channel.name);
    if (known === undefined && channels.size >= limits.hubChannelsPerConnection)
      throw new InvocationError('too-many-requests');

    const replaced = [...channels.values()];
    const n = await broadcast.position();
    this.subscriber.add(channel, n);
    const cursor = this.subscriber.cursor(n);
    try {
      do {
        this.subscriber.hidden.delete(channel.name);
        await services.db.read(async (tx) => {
          await checkChannel(tx, await loadViewer(tx, this.client.caller.user.id), channel);
        });
      } while (this.subscriber.hidden.has(channel.name));
      if (channel.is === 'record') this.subscriber.held.add(channel.name);
    } catch (error) {
      this.subscriber.remove(channel.name);
      const lost = replaced.find((one) => one.is === 'changes' && channel.is === 'changes');
      if (lost !== undefined) this.subscriber.add(lost, n);
      throw error;
    }
    return { channel: channel.name, cursor };
  }

  /**
   * A subscription reads the database, so it counts as a request of the person, as connecting did.
   *
   * @throws InvocationError
   */
  private requireRate(): void {
    const { authId } = this.client.caller.user;
    try {
      if (authId !== null) this.context.services.limits.requireRate('requestsOfUser', authId);
    } catch (error) {
      throw error instanceof ProblemError ? new InvocationError(error.problem.code) : error;
    }
  }

  private unsubscribe(name: unknown): Promise<null> {
    if (typeof name === 'string') {
      const [type = '', id] = name.split('/');
      this.subscriber.remove(id === undefined ? type : `${type}/${id.toLowerCase()}`);
    }
    return Promise.resolve(null);
  }

  /** The person is looked up again: a lock or a new role holds at once. */
  private async perform(value: unknown): Promise<string> {
    const { services } = this.context;
    try {
      const document = documentIn(value);
      const { address } = this.client.caller;
      const caller = await callerOf(services, this.client.bearer, address);
      const meta = isObject(document) && isObject(document.meta) ? document.meta : {};
      const handling = meta.handling === 'lenient' ? 'lenient' : 'strict';
      return JSON.stringify(await performOperations(services, caller, document, { handling }));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      return this.refusal(error.problems);
    }
  }

  private refusal(problems: readonly Problem[]): string {
    const { clock, random } = this.context.services;
    const id = newId(clock, random);
    return JSON.stringify({ errors: problems.map((problem) => errorObject(problem, id)) });
  }
}

/** Returns an operations document, which comes as JSON text or as it is. */
function documentIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parseJson(value);
  } catch {
    throw new ProblemError({ code: 'invalid-document', detail: 'The argument is not JSON.' });
  }
}

/**
 * A client whose token has just ended, within the allowed difference of clocks, may stay that much
 * longer.
 */
function untilExpiry({ expiresAt }: Caller, { clock }: Services): number {
  const left = expiresAt - clock();
  return left > 0 ? left : left + limits.clockToleranceSeconds * 1_000;
}
