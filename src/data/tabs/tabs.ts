import { limits } from '#protocol/limits.ts';
import type { BroadcastChannelLike, Environment } from '../model/environment.ts';
import { LeadLock } from './lead-lock.ts';
import type { ServerUpdate } from '../model/server-update.ts';
import type { TabMessage, TabMessageOf, TabEvents, LeaderRequest } from './tab-message.ts';

type TabsEnvironment = Pick<
  Environment,
  'locks' | 'channel' | 'timers' | 'clock' | 'page' | 'report'
>;

const MOST_ITEMS_SENT = 500;
const ASK_WHILE_SENDING_MS = 250;
const ASK_WHILE_AWAY_MS = 3_000;
const ASK_WHEN_IDLE_MS = 10_000;
/** A backup that could not be taken over is tried again after so long, twice as long each time. */
const CLAIM_AGAIN_MS = 5_000;
const CLAIM_AGAIN_MOST_MS = 600_000;

/**
 * One tab leads: the holder of a lock named for the user. It dies with its tab, and the next in
 * line leads. A frozen tab keeps it: a tab that has something to send asks over the channel and,
 * without an answer in time, takes it.
 *
 *   following ──lock granted, or no answer──> claiming ──the backup is ours──> leading
 *       ^                                                                         │
 *       └──── lock stolen, a later lead seen, or a write refused: lead lost ──────┘
 *
 * Where the storage fails, a tab leads all the same, and claims the backup again after a while, or
 * as soon as that is opened again, a change was saved in it, or the person comes back.
 */
export class Tabs {
  readonly #environment: TabsEnvironment;
  readonly #events: TabEvents;
  readonly #lock: LeadLock;
  readonly #name: string;
  #channel: BroadcastChannelLike | null = null;
  #state: 'following' | 'claiming' | 'leading' | 'closed' = 'following';
  /** The latest lead that is known. */
  #lead = 0;
  #sentCount = 0;
  #receivedCount: number | null = null;
  #isMissing = false;
  /** A leader has answered what this tab missed before it came: until then its copy has a gap. */
  #wasAnswered = false;
  #isAway = false;
  #timer: unknown = undefined;
  /** The purpose of the timer. */
  #waitsFor: 'no' | 'for-answer' | 'to-ask' | 'to-claim' | 'idle' = 'no';
  /** This tab read its copy from the server itself: it missed nothing that another one sent. */
  #isOwn = false;
  /** How often the backup could not be taken over, one time after the other. */
  #setbacks = 0;
  #isDetached = false;

  constructor(environment: TabsEnvironment, account: string, events: TabEvents) {
    this.#environment = environment;
    this.#events = events;
    this.#name = `slipway-${account}`;
    this.#lock = new LeadLock(environment.locks, this.#name, {
      granted: () => {
        void this.#claim();
      },
      stolen: () => {
        this.loseLead();
      },
    });
    this.#join();
  }

  #join(): void {
    const { channel, locks } = this.#environment;
    this.#channel = channel?.(this.#name) ?? null;
    if (this.#channel !== null)
      this.#channel.onmessage = ({ data }) => {
        this.#receive(data as TabMessage);
      };
    this.#queue();
    this.#post({ is: 'lost' });
    if (locks !== null) return;
    if (this.#channel === null) this.#steal();
    else this.#pingLeader();
  }

  get isLeading(): boolean {
    return this.#state === 'leading';
  }

  #queue(): void {
    this.#lock.wait().catch((error: unknown) => {
      this.#environment.report('The tab could not ask to lead', error);
    });
  }

  #steal(): void {
    this.#lock.steal().catch((error: unknown) => {
      this.#environment.report('The tab could not take the lead', error);
    });
  }

  async #claim(): Promise<void> {
    if (this.#state === 'closed') return;
    const isAgain = this.#state === 'leading';
    this.#state = 'claiming';
    this.#clearTimer();
    const hasGap = this.#isMissing || (this.#lead > 0 && !this.#wasAnswered);
    const lead = await this.#events.claim(hasGap && !this.#isOwn, this.#lead);
    if (!this.#isClaiming()) return;
    this.#state = 'leading';
    if (lead === null && isAgain) {
      this.#claimLater();
      return;
    }
    this.#lead = lead ?? this.#lead + 1;
    this.#sentCount = 0;
    this.#isOwn = true;
    if (lead !== null) {
      this.#isMissing = false;
      this.#wasAnswered = true;
    }
    this.sendLeaderStatus();
    this.#events.lead();
    if (lead === null) this.#claimLater();
    else this.#setbacks = 0;
  }

  #claimLater(): void {
    // A detached tab has nothing to take over until it is attached again.
    if (this.#isDetached) return;
    const afterMs = Math.min(CLAIM_AGAIN_MOST_MS, CLAIM_AGAIN_MS * 2 ** this.#setbacks);
    this.#setbacks += 1;
    this.#wait('to-claim', afterMs, () => {
      if (this.isLeading) void this.#claim();
    });
  }

  /**
   * The storage may be back: takes over the backup if this tab waits for that. Returns whether it
   * tries.
   */
  claimNow(): boolean {
    if (this.#waitsFor !== 'to-claim') return false;
    void this.#claim();
    return true;
  }

  #isClaiming(): boolean {
    return this.#state === 'claiming';
  }

  /** Another tab leads: this one stops, and waits for the lock again. */
  loseLead(): void {
    if (this.#state !== 'leading' && this.#state !== 'claiming') return;
    this.#state = 'following';
    this.#clearTimer();
    this.#isMissing = true;
    this.#isOwn = false;
    this.#receivedCount = null;
    this.#events.leadLost();
    this.#queue();
    this.#post({ is: 'lost' });
    this.check();
  }

  /** This tab has no copy to share with others: it leads only itself. */
  detach(): void {
    this.#lock.release();
    this.#channel?.close();
    this.#channel = null;
    this.#isDetached = true;
    if (this.#state === 'following') void this.#claim();
  }

  /** There is a copy to share after all. */
  reattach(): void {
    if (this.#state === 'closed') return;
    this.#state = 'following';
    this.#lead = 0;
    this.#isMissing = true;
    this.#isDetached = false;
    this.#receivedCount = null;
    this.#events.leadLost();
    this.#join();
  }

  #receive(message: TabMessage): void {
    if (this.#state === 'closed') return;
    switch (message.is) {
      case 'merged':
      case 'outlook':
      case 'level':
        // A tab that begins to lead goes on from the backup: the feed brings what is sent now.
        if (this.#isOfLeader(message.lead) && !this.#isClaiming()) this.#follow(message);
        break;
      case 'ask':
      case 'lost':
      case 'wish':
      case 'heard':
        if (this.isLeading) this.#serve(message);
        break;
      case 'wrote':
        // fault 9
        this.#events.outboxWritten(message.seqs);
        break;
      case 'gone':
        if (this.#environment.locks === null) this.#steal();
        break;
      case 'cleared':
        this.#events.cleared();
        break;
    }
  }

  #follow(message: TabMessageOf<'merged' | 'outlook' | 'level'>): void {
    switch (message.is) {
      case 'merged':
        this.#count(message.n);
        this.#events.updateApplied(message.news);
        break;
      case 'outlook':
        if (this.#receivedCount !== null && message.n !== this.#receivedCount) this.requestMissed();
        this.#receivedCount = message.n;
        this.#isAway = message.outlook.last !== null;
        this.#events.leaderStatusReceived(message.outlook);
        break;
      case 'level':
        this.#events.backupWritten(message.level, this.#isMissing);
        this.#isMissing = false;
        this.#wasAnswered = true;
        break;
    }
  }

  #serve(message: TabMessageOf<'ask' | 'lost' | 'wish' | 'heard'>): void {
    switch (message.is) {
      case 'ask':
        this.sendLeaderStatus();
        break;
      case 'lost':
        this.#sendBackupPosition();
        break;
      case 'wish':
        this.#events.requested(message.wish);
        break;
      case 'heard':
        this.#events.answerReceived(message.news);
        break;
    }
  }

  /**
   * Tells whether a message with that lead counts: a tab that lost the lead may not know it yet.
   */
  #isOfLeader(lead: number): boolean {
    if (lead < this.#lead) return false;
    if (lead > this.#lead) {
      // The last messages of the leader before may come after this, when they do not count any
      // more.
      if (this.#lead > 0) this.#isMissing = true;
      this.#lead = lead;
      this.#receivedCount = null;
      if (this.isLeading) this.loseLead();
      this.#events.leaderChanged();
      if (this.#isMissing) this.#post({ is: 'lost' });
    }
    this.#isOwn = false;
    this.#clearTimer();
    this.#pingLeaderLater();
    return true;
  }

  #count(n: number): void {
    if (this.#receivedCount !== null && n !== this.#receivedCount + 1) this.requestMissed();
    this.#receivedCount = n;
  }

  /** A message of the leader did not reach this tab: it asks for what it missed. */
  requestMissed(): void {
    if (this.#state !== 'following') return;
    this.#isMissing = true;
    this.#post({ is: 'lost' });
  }

  #sendBackupPosition(): void {
    this.sendLeaderStatus();
    const lead = this.#lead;
    const written = this.#events.whenBackupWritten();
    const position = { cursor: this.#events.leaderStatus().cursor, wasWriting: written !== null };
    void (written ?? Promise.resolve()).then(() => {
      if (this.isLeading) this.#post({ is: 'level', lead, level: position });
    });
  }

  /**
   * A change was saved, or this tab came into view: checks that the leader is there. Storage that was
   * full may have room again, and nothing else says so: a tab that leads without the backup takes it
   * over.
   */
  check(): void {
    if (this.claimNow()) return;
    if (this.#state !== 'following' || this.#waitsFor === 'for-answer') return;
    if (this.#events.hasToSend()) {
      if (this.#waitsFor !== 'to-ask') this.#pingLeader();
    } else if (this.#waitsFor === 'no') this.#pingLeaderLater();
  }

  #pingLeader(): void {
    if (this.#channel === null) return;
    const askedAt = this.#environment.clock();
    this.#post({ is: 'ask' });
    this.#wait('for-answer', limits.leaderAnswersWithinMs, () => {
      // A tab that slept itself has not received the answer yet.
      const hasSlept = this.#environment.clock() - askedAt > 2 * limits.leaderAnswersWithinMs;
      if (hasSlept) this.#pingLeader();
      else {
        // fault 10
        this.#steal();
      }
    });
  }

  #pingLeaderLater(): void {
    if (this.#state !== 'following' || this.#channel === null) return;
    const { page, locks } = this.#environment;
    const ask = (): void => {
      this.#pingLeader();
    };
    if (this.#events.hasToSend())
      this.#wait('to-ask', this.#isAway ? ASK_WHILE_AWAY_MS : ASK_WHILE_SENDING_MS, ask);
    else if (page.isVisible() || locks === null) this.#wait('idle', ASK_WHEN_IDLE_MS, ask);
  }

  #wait(what: 'for-answer' | 'to-ask' | 'to-claim' | 'idle', ms: number, then: () => void): void {
    this.#clearTimer();
    this.#waitsFor = what;
    this.#timer = this.#environment.timers.set(() => {
      this.#waitsFor = 'no';
      if (this.#state !== 'closed') then();
    }, ms);
  }

  #clearTimer(): void {
    if (this.#waitsFor !== 'no') this.#environment.timers.clear(this.#timer);
    this.#waitsFor = 'no';
  }

  #post(message: TabMessage): void {
    if (this.#state !== 'closed') this.#channel?.postMessage(message);
  }

  /** Sends the other tabs an update that was applied here. */
  sendUpdate(update: ServerUpdate): void {
    if (!this.isLeading) return;
    this.#sentCount += 1;
    // To copy so much takes longer than a frame, even when nobody listens: other tabs read it from
    // the disk.
    if (update.items.length > MOST_ITEMS_SENT) this.sendLeaderStatus();
    else this.#post({ is: 'merged', lead: this.#lead, n: this.#sentCount, news: update });
  }

  sendLeaderStatus(): void {
    if (!this.isLeading) return;
    const status = this.#events.leaderStatus();
    this.#post({ is: 'outlook', lead: this.#lead, n: this.#sentCount, outlook: status });
  }

  /** Sends the leader what an answer brought here, to be saved. */
  sendAnswer(update: ServerUpdate): void {
    if (this.#state === 'following') this.#post({ is: 'heard', news: update });
  }

  /** Tells the other tabs to read the rows of `seqs` from the disk. */
  sendOutboxWritten(seqs: readonly number[]): void {
    this.#post({ is: 'wrote', seqs });
    this.check();
  }

  sendCleared(): void {
    this.#post({ is: 'cleared' });
  }

  requestFromLeader(request: LeaderRequest): void {
    this.#post({ is: 'wish', wish: request });
  }

  /** Lets the next tab lead. */
  close(): void {
    this.#clearTimer();
    if (this.isLeading) this.#post({ is: 'gone' });
    this.#state = 'closed';
    this.#lock.release();
    this.#channel?.close();
  }
}
