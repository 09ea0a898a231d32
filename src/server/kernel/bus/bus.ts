/**
 * Tells whoever follows the feed that there is more of it. A hint, never the truth: numbers may
 * repeat, come late, or be lower than one heard before; readers go by the feed itself.
 */
export interface Bus {
  /** Commit `n` is there. Never throws and never waits. */
  publish(n: number): void;
  /** Calls `listener` for every hint, of this process and of others; returns what ends that. */
  subscribe(listener: (n: number) => void): () => void;
  close(): Promise<void>;
}
