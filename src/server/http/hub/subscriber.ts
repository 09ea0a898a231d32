import { hubEvents } from '#protocol/hub.ts';
import { limits } from '#protocol/limits.ts';
import type { HubUpdateMessage, FeedOperation } from '#protocol/operations.ts';
import type { FeedCommit } from '../../db/feed-row.ts';
import { feedCursor } from '../../feed/cursor.ts';
import type { CursorRealm } from '../../feed/cursor.ts';
import type { Caller } from '../../domain/accounts/caller.ts';
import type { Channel } from './channels.ts';
import type { Connection } from './connection.ts';

/** A published commit, and the newest commit that its records may already include. */
export interface CommitPosition {
  readonly n: number;
  readonly seen: FeedCommit;
}

/** The update that one commit brings. */
export interface CommitUpdate extends CommitPosition {
  readonly operations: readonly FeedOperation[];
  readonly changes: readonly string[];
}

/**
 * At most this many ids of changes are kept for a client that is behind; beyond that it needs the
 * feed.
 */
const MOST_CHANGES_KEPT = 1_000;
const NO_OPERATIONS = '[]';

/** One connection as a subscriber: its channels, and the last commit that it got. */
export class Subscriber {
  readonly user: string;
  /** The era of the sign-in that opened the connection; see `Caller`. */
  readonly era: number | null;
  readonly channels = new Map<string, Channel>();
  /** The records of record channels that the client holds, by channel. */
  readonly held = new Set<string>();
  /** Record channels whose record was not there for the user when a commit was published. */
  readonly hidden = new Set<string>();
  private readonly identity: string;
  private readonly connection: Connection;
  /** The commit of the last message, or of the answer to a subscription if that was later. */
  private last: CommitPosition | null = null;
  /** Updates that had to wait: the client is told that there are some, and reads the feed. */
  private missed: { at: CommitPosition; readonly changes: Set<string> } | null = null;

  constructor(
    { user, era }: Pick<Caller, 'user' | 'era'>,
    identity: string,
    connection: Connection,
  ) {
    this.user = user.id;
    this.era = era;
    this.identity = identity;
    this.connection = connection;
  }

  /** Returns the organization of the super admin's channel, if that is subscribed. */
  get selected(): string | null {
    for (const channel of this.channels.values())
      if (channel.is === 'changes') return channel.selected;
    return null;
  }

  /** True when any channel needs the feed, and not only single records. */
  get listensToFeed(): boolean {
    return [...this.channels.values()].some(({ is }) => is !== 'record');
  }

  /** Adds `channel` as of `at`; there is one of `changes` and `changes/…`. */
  add(channel: Channel, at: CommitPosition): void {
    if (channel.is === 'changes')
      for (const other of this.channels.values())
        if (other.is === 'changes') this.channels.delete(other.name);
    this.channels.set(channel.name, channel);
    if (this.last === null || channel.is === 'changes') this.last = laterOf(this.last, at);
  }

  /** Another channel of the client told it of the record of the channel `name`, or that it is gone. */
  noteTold(name: string, isRemoved: boolean): void {
    if (isRemoved) {
      this.held.delete(name);
      this.hidden.add(name);
    } else this.held.add(name);
  }

  remove(name: string): void {
    this.channels.delete(name);
    this.held.delete(name);
    this.hidden.delete(name);
  }

  cursor({ n, seen }: CommitPosition): string {
    const realm: CursorRealm = { identity: this.identity, selected: this.selected };
    return feedCursor(realm, { n, k: 0, place: null, seen });
  }

  /** Sends one message, unless it is empty; a client that is behind gets it later. */
  publish(update: CommitUpdate): void {
    if (update.operations.length === 0) return;
    if (this.missed !== null || this.connection.isFull) this.markMissed(update, update.changes);
    else this.send(update);
  }

  /** The client has to read the feed up to `at`. */
  markMissed(at: CommitPosition, changes: readonly string[]): void {
    this.missed ??= { at, changes: new Set() };
    this.missed.at = laterOf(this.missed.at, at);
    for (const id of changes)
      if (this.missed.changes.size < MOST_CHANGES_KEPT) this.missed.changes.add(id);
    this.announceMissed();
  }

  /** Says that there is more, once the client takes messages again. */
  announceMissed(): void {
    const { missed } = this;
    if (missed === null || this.connection.isFull) return;
    this.missed = null;
    this.post(missed.at, NO_OPERATIONS, [...missed.changes], true);
  }

  /** Ends the connection; see `Connection.close`. */
  close(error: string | null, allowReconnect: boolean): void {
    this.connection.close(error, allowReconnect);
  }

  private send({ operations, changes, ...at }: CommitUpdate): void {
    const json = JSON.stringify(operations);
    const isTooMuch =
      operations.length > limits.hubMessageOperations ||
      Buffer.byteLength(json) > limits.hubMessageBytes;
    this.post(at, isTooMuch ? NO_OPERATIONS : json, changes, isTooMuch);
  }

  /** @param operations as JSON, so that it is made once, both for its length and for the message */
  private post(
    at: CommitPosition,
    operations: string,
    changes: readonly string[],
    more: boolean,
  ): void {
    const [cursor, previous] = [this.cursor(at), this.cursor(this.last ?? at)];
    const meta: HubUpdateMessage['meta'] = { cursor, previous, changes, more };
    this.last = at;
    const message = `{"operations":${operations},"meta":${JSON.stringify(meta)}}`;
    this.connection.call(hubEvents.updated, message);
  }
}

const laterOf = (a: CommitPosition | null, b: CommitPosition): CommitPosition =>
  a !== null && a.n > b.n ? a : b;
