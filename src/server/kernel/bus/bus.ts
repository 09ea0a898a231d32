/**
 * Notifies the readers of the feed that there is more of it. It is only a hint: numbers may repeat,
 * come late, or be lower than one that came before; readers go by the feed itself.
 */
export interface Bus {
  /** Publishes that commit `n` exists. Never throws and never waits. */
  publish(n: number): void;
  /** Calls `listener` for every hint, of this process and of others; returns what ends that. */
  subscribe(listener: (n: number) => void): () => void;
  close(): Promise<void>;
}
