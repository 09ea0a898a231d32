import { hubEvents } from '#protocol/hub.ts';
import { limits } from '#protocol/limits.ts';
import type { NewsMessage, NewsOperation } from '#protocol/operations.ts';
import { feedCursor } from '../feed/cursor.ts';
import type { Realm } from '../feed/cursor.ts';
import type { Channel } from './channels.ts';
import type { Connection } from './connection.ts';

/** What there is to tell of one commit. */
export interface News {
  readonly n: number;
  readonly operations: readonly NewsOperation[];
  readonly changes: readonly string[];
}

/** Ids of changes that are kept for a client that is behind; beyond them the feed has to do. */
const MOST_CHANGES_KEPT = 1_000;

/** One connection as a listener: its channels, and what it was told last. */
export class Subscriber {
  readonly user: string;
  readonly channels = new Map<string, Channel>();
  /** Records of channels of their own that the client holds, by channel. */
  readonly held = new Set<string>();
  private readonly identity: string;
  private readonly connection: Connection;
  /** The commit of the last message, or of the answer to a subscription if that was later. */
  private last: number | null = null;
  /** News that had to wait: the client is told that there is some, and reads the feed. */
  private missed: { n: number; readonly changes: Set<string> } | null = null;

  constructor(user: string, identity: string, connection: Connection) {
    this.user = user;
    this.identity = identity;
    this.connection = connection;
  }

  /** The organization of the super admin's channel, if that is subscribed. */
  get selected(): string | null {
    for (const channel of this.channels.values())
      if (channel.is === 'changes') return channel.selected;
    return null;
  }

  /** Whether any channel needs the feed, and not only single records. */
  get listensToFeed(): boolean {
    return [...this.channels.values()].some(({ is }) => is !== 'record');
  }

  /** Adds `channel` as of commit `n`; there is one of `changes` and `changes/…`. */
  add(channel: Channel, n: number): void {
    if (channel.is === 'changes')
      for (const other of this.channels.values())
        if (other.is === 'changes') this.channels.delete(other.name);
    this.channels.set(channel.name, channel);
    if (channel.is === 'record') this.held.add(channel.name);
    if (this.last === null || channel.is === 'changes') this.last = Math.max(this.last ?? 0, n);
  }

  remove(name: string): void {
    this.channels.delete(name);
    this.held.delete(name);
  }

  cursor(n: number): string {
    const realm: Realm = { identity: this.identity, selected: this.selected };
    return feedCursor(realm, { n, k: 0, place: null });
  }

  /** Sends one message, unless there is nothing to tell; to a client that is behind, later. */
  tell(news: News): void {
    if (news.operations.length === 0) return;
    if (this.missed !== null || this.connection.isFull) this.miss(news.n, news.changes);
    else this.send(news);
  }

  /** The client has to read the feed up to commit `n`. */
  miss(n: number, changes: readonly string[]): void {
    this.missed ??= { n, changes: new Set() };
    this.missed.n = Math.max(this.missed.n, n);
    for (const id of changes)
      if (this.missed.changes.size < MOST_CHANGES_KEPT) this.missed.changes.add(id);
    this.catchUp();
  }

  /** Says that there is more, once the client takes messages again. */
  catchUp(): void {
    const { missed } = this;
    if (missed === null || this.connection.isFull) return;
    this.missed = null;
    this.post(missed.n, [], [...missed.changes], true);
  }

  /** Ends the connection; see `Connection.close`. */
  close(error: string | null, allowReconnect: boolean): void {
    this.connection.close(error, allowReconnect);
  }

  private send({ n, operations, changes }: News): void {
    const isTooMuch =
      operations.length > limits.hubMessageOperations ||
      Buffer.byteLength(JSON.stringify(operations)) > limits.hubMessageBytes;
    this.post(n, isTooMuch ? [] : operations, changes, isTooMuch);
  }

  private post(
    n: number,
    operations: readonly NewsOperation[],
    changes: readonly string[],
    more: boolean,
  ): void {
    const [cursor, previous] = [this.cursor(n), this.cursor(this.last ?? n)];
    const message: NewsMessage = { operations, meta: { cursor, previous, changes, more } };
    this.last = n;
    this.connection.call(hubEvents.updated, JSON.stringify(message));
  }
}
