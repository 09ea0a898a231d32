import type { Random } from '#base/id.ts';

/** Chance that a seed decides: the same seed gives the same run of numbers. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0;
    for (let i = 0; i < 4; i += 1) this.next();
  }

  /** From 0 up to, not including, 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from 0 up to, not including, `most`. */
  below(most: number): number {
    return Math.floor(this.next() * most);
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  is(probability: number): boolean {
    return this.next() < probability;
  }

  any<T>(among: readonly T[]): T {
    return among[this.below(among.length)] as T;
  }

  /** One of the keys, as likely as its weight says. */
  weighted<K extends string>(weights: Readonly<Partial<Record<K, number>>>): K {
    const all = Object.entries(weights) as [K, number][];
    let left = this.next() * all.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of all) {
      left -= weight;
      if (left < 0) return key;
    }
    const [key] = all.at(-1) ?? [];
    if (key === undefined) throw new Error('There is nothing to choose from');
    return key;
  }

  /** Waits as of things that happen by themselves, `mean` on average. */
  wait(mean: number): number {
    return Math.round(-Math.log(1 - this.next()) * mean);
  }

  /** Another run of numbers, which does not change with how often this one is asked. */
  branch(name: string): Chance {
    let mixed = this.#state;
    for (const letter of name) mixed = Math.imul(mixed ^ letter.charCodeAt(0), 0x01000193) >>> 0;
    return new Chance(mixed);
  }

  readonly bytes: Random = (bytes) => bytes.map(() => this.below(256));
}
