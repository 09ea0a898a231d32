import type { Channel, Environment } from './environment.ts';
import type { News } from './merge.ts';

/** What tabs of one user tell each other. */
type Message =
  /** The leading tab merged this; counted, so that a gap shows. */
  | { readonly is: 'merged'; readonly n: number; readonly news: News }
  /** Rows were written: the disk has them. */
  | { readonly is: 'wrote' }
  /** The copy is about to be removed. */
  | { readonly is: 'cleared' };

export interface TabEvents {
  /** This tab is the one that sends, hears and reads the feed, until it is closed. */
  readonly lead: () => void;
  readonly merged: (news: News) => void;
  /** Something was missed: the backup has it. */
  readonly missed: () => void;
  readonly wrote: () => void;
  readonly cleared: () => void;
}

/**
 * One tab leads: the holder of a lock named for the user. It dies with its tab, and the next in
 * line leads.
 */
export class Tabs {
  readonly #channel: Channel | null;
  readonly #abort = new AbortController();
  #release: () => void = () => undefined;
  #isLeading = false;
  #heard: number | null = null;
  #told = 0;

  constructor(
    { locks, channel, report }: Pick<Environment, 'locks' | 'channel' | 'report'>,
    account: string,
    events: TabEvents,
  ) {
    const name = `slipway-${account}`;
    this.#channel = channel?.(name) ?? null;
    if (this.#channel !== null)
      this.#channel.onmessage = ({ data }) => {
        this.#take(data as Message, events);
      };
    const lead = (): void => {
      this.#isLeading = true;
      events.lead();
    };
    if (locks === null) {
      lead();
      return;
    }
    const held = new Promise<void>((resolve) => {
      this.#release = resolve;
    });
    locks
      .request(name, { signal: this.#abort.signal }, () => {
        lead();
        return held;
      })
      .catch((error: unknown) => {
        if (!this.#abort.signal.aborted) report('The tab could not ask to lead', error);
      });
  }

  get isLeading(): boolean {
    return this.#isLeading;
  }

  #take(message: Message, events: TabEvents): void {
    switch (message.is) {
      case 'merged':
        if (this.#heard !== null && message.n !== this.#heard + 1) events.missed();
        else events.merged(message.news);
        this.#heard = message.n;
        break;
      case 'wrote':
        events.wrote();
        break;
      case 'cleared':
        events.cleared();
        break;
    }
  }

  /** Tells the other tabs what was merged here. */
  tellMerged(news: News): void {
    if (!this.#isLeading) return;
    this.#told += 1;
    this.#channel?.postMessage({ is: 'merged', n: this.#told, news } satisfies Message);
  }

  tellWrote(): void {
    this.#channel?.postMessage({ is: 'wrote' } satisfies Message);
  }

  tellCleared(): void {
    this.#channel?.postMessage({ is: 'cleared' } satisfies Message);
  }

  /** Lets the next tab lead. */
  close(): void {
    this.#abort.abort();
    this.#release();
    this.#channel?.close();
  }
}
