import { limits } from '#protocol/limits.ts';
import type { Channel, Environment } from '../model/environment.ts';
import { LeadLock } from './lead-lock.ts';
import type { News } from '../model/server-update.ts';
import type { Message, Of, TabEvents, Wish } from './tab-message.ts';

type Given = Pick<Environment, 'locks' | 'channel' | 'timers' | 'clock' | 'page' | 'report'>;

const ITEMS_TOLD_MOST = 500;
const ASK_WHILE_SENDING_MS = 250;
const ASK_WHILE_AWAY_MS = 3_000;
const ASK_WHEN_IDLE_MS = 10_000;
/** A backup that could not be taken over is tried again after so long, twice as long each time. */
const CLAIM_AGAIN_MS = 5_000;
const CLAIM_AGAIN_MOST_MS = 600_000;

/**
 * One tab leads: the holder of a lock named for the user. It dies with its tab, and the next in
 * line leads. A frozen tab keeps it: whoever has something to send asks over the channel and,
 * without an answer in time, takes it.
 *
 *   following ──lock granted, or no answer──> claiming ──the backup is ours──> leading
 *       ^                                                                         │
 *       └──── lock broken, a later lead heard, or a write refused: robbed ────────┘
 *
 * Where the storage fails, a tab leads all the same, and claims the backup again after a while, or
 * as soon as that is opened again.
 */
export class Tabs {
  readonly #given: Given;
  readonly #events: TabEvents;
  readonly #lock: LeadLock;
  readonly #name: string;
  #channel: Channel | null = null;
  #state: 'following' | 'claiming' | 'leading' | 'closed' = 'following';
  /** The latest lead that is known of. */
  #lead = 0;
  #told = 0;
  #heard: number | null = null;
  #isMissing = false;
  #isAway = false;
  #timer: unknown = undefined;
  /** What the timer is for. */
  #waits: 'no' | 'for-answer' | 'to-ask' | 'to-claim' | 'idle' = 'no';
  /** What is here this tab read from the server itself: it missed nothing that another one told. */
  #isOwn = false;
  /** How often the backup could not be taken over, one time after the other. */
  #setbacks = 0;
  #isAlone = false;

  constructor(given: Given, account: string, events: TabEvents) {
    this.#given = given;
    this.#events = events;
    this.#name = `slipway-${account}`;
    this.#lock = new LeadLock(given.locks, this.#name, {
      granted: () => {
        void this.#claim();
      },
      robbed: () => {
        this.robbed();
      },
    });
    this.#join();
  }

  #join(): void {
    const { channel, locks } = this.#given;
    this.#channel = channel?.(this.#name) ?? null;
    if (this.#channel !== null)
      this.#channel.onmessage = ({ data }) => {
        this.#take(data as Message);
      };
    this.#queue();
    this.#say({ is: 'lost' });
    if (locks !== null) return;
    if (this.#channel === null) this.#steal();
    else this.#ask();
  }

  get isLeading(): boolean {
    return this.#state === 'leading';
  }

  #queue(): void {
    this.#lock.wait().catch((error: unknown) => {
      this.#given.report('The tab could not ask to lead', error);
    });
  }

  #steal(): void {
    this.#lock.steal().catch((error: unknown) => {
      this.#given.report('The tab could not take the lead', error);
    });
  }

  async #claim(): Promise<void> {
    if (this.#state === 'closed') return;
    const isAgain = this.#state === 'leading';
    this.#state = 'claiming';
    this.#rest();
    const lead = await this.#events.claim(this.#isMissing && !this.#isOwn, this.#lead);
    if (!this.#isClaiming()) return;
    this.#state = 'leading';
    if (lead === null && isAgain) {
      this.#claimLater();
      return;
    }
    this.#lead = lead ?? this.#lead + 1;
    this.#told = 0;
    this.#isOwn = true;
    if (lead !== null) this.#isMissing = false;
    this.tellOutlook();
    this.#events.lead();
    if (lead === null) this.#claimLater();
    else this.#setbacks = 0;
  }

  #claimLater(): void {
    // Alone there is nothing to take over until it goes together again.
    if (this.#isAlone) return;
    const afterMs = Math.min(CLAIM_AGAIN_MOST_MS, CLAIM_AGAIN_MS * 2 ** this.#setbacks);
    this.#setbacks += 1;
    this.#wait('to-claim', afterMs, () => {
      if (this.isLeading) void this.#claim();
    });
  }

  /** The storage is back: whoever waits to take the backup over does. Gives whether one did. */
  claimNow(): boolean {
    if (this.#waits !== 'to-claim') return false;
    void this.#claim();
    return true;
  }

  #isClaiming(): boolean {
    return this.#state === 'claiming';
  }

  /** Another tab leads: this one stops, and stands in line again. */
  robbed(): void {
    if (this.#state !== 'leading' && this.#state !== 'claiming') return;
    this.#state = 'following';
    this.#rest();
    this.#isMissing = true;
    this.#isOwn = false;
    this.#heard = null;
    this.#events.robbed();
    this.#queue();
    this.#say({ is: 'lost' });
    this.check();
  }

  /** This tab has no copy to share with others: it leads itself, and nobody else. */
  goAlone(): void {
    this.#lock.letGo();
    this.#channel?.close();
    this.#channel = null;
    this.#isAlone = true;
    if (this.#state === 'following') void this.#claim();
  }

  /** There is a copy to share after all. */
  goTogether(): void {
    if (this.#state === 'closed') return;
    this.#state = 'following';
    this.#lead = 0;
    this.#isMissing = true;
    this.#isAlone = false;
    this.#heard = null;
    this.#events.robbed();
    this.#join();
  }

  #take(message: Message): void {
    if (this.#state === 'closed') return;
    switch (message.is) {
      case 'merged':
      case 'outlook':
      case 'level':
        // Who comes to lead goes on from what is written: what is told now, the feed brings.
        if (this.#isOfLeader(message.lead) && !this.#isClaiming()) this.#follow(message);
        break;
      case 'ask':
      case 'lost':
      case 'wish':
      case 'heard':
        if (this.isLeading) this.#serve(message);
        break;
      case 'wrote':
        this.#events.wrote(message.seqs);
        break;
      case 'gone':
        if (this.#given.locks === null) this.#steal();
        break;
      case 'cleared':
        this.#events.cleared();
        break;
    }
  }

  #follow(message: Of<'merged' | 'outlook' | 'level'>): void {
    switch (message.is) {
      case 'merged':
        this.#count(message.n);
        this.#events.merged(message.news);
        break;
      case 'outlook':
        if (this.#heard !== null && message.n !== this.#heard) this.miss();
        this.#heard = message.n;
        this.#isAway = message.outlook.last !== null;
        this.#events.outlook(message.outlook);
        break;
      case 'level':
        this.#events.level(message.level, this.#isMissing);
        this.#isMissing = false;
        break;
    }
  }

  #serve(message: Of<'ask' | 'lost' | 'wish' | 'heard'>): void {
    switch (message.is) {
      case 'ask':
        this.tellOutlook();
        break;
      case 'lost':
        this.#tellLevel();
        break;
      case 'wish':
        this.#events.wished(message.wish);
        break;
      case 'heard':
        this.#events.heard(message.news);
        break;
    }
  }

  /** Whether a message with that lead counts: a tab that was robbed may not know it yet. */
  #isOfLeader(lead: number): boolean {
    if (lead < this.#lead) return false;
    if (lead > this.#lead) {
      // What the one that led before told last may come after this, when it does not count any more.
      if (this.#lead > 0) this.#isMissing = true;
      this.#lead = lead;
      this.#heard = null;
      if (this.isLeading) this.robbed();
      this.#events.changed();
      if (this.#isMissing) this.#say({ is: 'lost' });
    }
    this.#isOwn = false;
    this.#rest();
    this.#askLater();
    return true;
  }

  #count(n: number): void {
    if (this.#heard !== null && n !== this.#heard + 1) this.miss();
    this.#heard = n;
  }

  /** What the leading tab told did not reach this one: it is to be read. */
  miss(): void {
    if (this.#state !== 'following') return;
    this.#isMissing = true;
    this.#say({ is: 'lost' });
  }

  #tellLevel(): void {
    this.tellOutlook();
    const lead = this.#lead;
    const settling = this.#events.settling();
    const level = { cursor: this.#events.lookOut().cursor, wasWriting: settling !== null };
    void (settling ?? Promise.resolve()).then(() => {
      if (this.isLeading) this.#say({ is: 'level', lead, level });
    });
  }

  /** Something may be there to send, or this tab came into view: is the leading tab there? */
  check(): void {
    if (this.#state !== 'following' || this.#waits === 'for-answer') return;
    if (this.#events.hasToSend()) {
      if (this.#waits !== 'to-ask') this.#ask();
    } else if (this.#waits === 'no') this.#askLater();
  }

  #ask(): void {
    if (this.#channel === null) return;
    const askedAt = this.#given.clock();
    this.#say({ is: 'ask' });
    this.#wait('for-answer', limits.leaderAnswersWithinMs, () => {
      // Whoever slept itself has not heard the answer yet.
      const hasSlept = this.#given.clock() - askedAt > 2 * limits.leaderAnswersWithinMs;
      if (hasSlept) this.#ask();
      else this.#steal();
    });
  }

  #askLater(): void {
    if (this.#state !== 'following' || this.#channel === null) return;
    const { page, locks } = this.#given;
    const ask = (): void => {
      this.#ask();
    };
    if (this.#events.hasToSend())
      this.#wait('to-ask', this.#isAway ? ASK_WHILE_AWAY_MS : ASK_WHILE_SENDING_MS, ask);
    else if (page.isVisible() || locks === null) this.#wait('idle', ASK_WHEN_IDLE_MS, ask);
  }

  #wait(what: 'for-answer' | 'to-ask' | 'to-claim' | 'idle', ms: number, then: () => void): void {
    this.#rest();
    this.#waits = what;
    this.#timer = this.#given.timers.set(() => {
      this.#waits = 'no';
      if (this.#state !== 'closed') then();
    }, ms);
  }

  #rest(): void {
    if (this.#waits !== 'no') this.#given.timers.clear(this.#timer);
    this.#waits = 'no';
  }

  #say(message: Message): void {
    if (this.#state !== 'closed') this.#channel?.postMessage(message);
  }

  /** Tells the other tabs what was merged here. */
  tellMerged(news: News): void {
    if (!this.isLeading) return;
    this.#told += 1;
    // So much is copied for longer than a frame, even when nobody listens: who does, reads it.
    if (news.items.length > ITEMS_TOLD_MOST) this.tellOutlook();
    else this.#say({ is: 'merged', lead: this.#lead, n: this.#told, news });
  }

  tellOutlook(): void {
    if (!this.isLeading) return;
    const outlook = this.#events.lookOut();
    this.#say({ is: 'outlook', lead: this.#lead, n: this.#told, outlook });
  }

  /** Gives the leading tab what an answer brought here, to be kept. */
  tellHeard(news: News): void {
    if (this.#state === 'following') this.#say({ is: 'heard', news });
  }

  /** Tells the other tabs to read the rows of `seqs` from the disk. */
  tellWrote(seqs: readonly number[]): void {
    this.#say({ is: 'wrote', seqs });
    this.check();
  }

  tellCleared(): void {
    this.#say({ is: 'cleared' });
  }

  wish(wish: Wish): void {
    this.#say({ is: 'wish', wish });
  }

  /** Lets the next tab lead. */
  close(): void {
    this.#rest();
    if (this.isLeading) this.#say({ is: 'gone' });
    this.#state = 'closed';
    this.#lock.letGo();
    this.#channel?.close();
  }
}
