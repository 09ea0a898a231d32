import type { Timers } from '#base/timers.ts';

interface Due {
  readonly at: number;
  readonly ms: number;
  readonly act: () => void;
}

/** Time that passes when a test says so. */
export class OwnTime implements Timers {
  /** In ms since its beginning. */
  now = 0;
  private readonly due = new Set<Due>();
  private readonly wanted = new Set<() => void>();

  after(ms: number, act: () => void): () => void {
    const timer = { at: this.now + ms, ms, act };
    this.due.add(timer);
    for (const look of this.wanted) look();
    return () => {
      this.due.delete(timer);
    };
  }

  pass(ms: number): void {
    const end = this.now + ms;
    for (;;) {
      const [next] = [...this.due].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.due.delete(next);
      this.now = next.at;
      next.act();
    }
    this.now = end;
  }

  /** Resolves once something waits for `wanted` ms. */
  until(wanted: number): Promise<void> {
    return new Promise((done) => {
      const look = () => {
        if (![...this.due].some(({ ms }) => ms === wanted)) return;
        this.wanted.delete(look);
        done();
      };
      this.wanted.add(look);
      look();
    });
  }

  get waiting(): number {
    return this.due.size;
  }
}
