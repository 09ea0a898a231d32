import type { PauseReason } from '../model/views.ts';
import { SignInNeededError } from './remote.ts';
import type { ApiResponse } from '../model/answer.ts';

const PAUSE_REASONS: Readonly<Record<string, PauseReason>> = {
  'not-signed-in': 'sign-in',
  'email-not-verified': 'email-not-verified',
  'user-locked': 'user-locked',
  'client-too-old': 'client-too-old',
};

/** The components that can report a problem; `leader` is another tab. */
export type SyncComponent = 'sender' | 'catch-up' | 'live' | 'answers' | 'copy' | 'leader';

/**
 * Says whether sender, hub and feed reader may go on. It drops nothing; it only makes them wait.
 */
export class SyncControl {
  #pauseReason: PauseReason | null = null;
  readonly #problems = new Map<SyncComponent, unknown>();
  readonly #listeners = new Set<() => void>();

  get isRunning(): boolean {
    return this.#pauseReason === null;
  }

  get pauseReason(): PauseReason | null {
    return this.#pauseReason;
  }

  /** The problem of one of the components; null once all of them work again. */
  get problem(): unknown {
    const [problem = null] = this.#problems.values();
    return problem;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Pauses when `error` says that signing in is needed. */
  pauseIfSignInNeeded(error: unknown): boolean {
    if (!(error instanceof SignInNeededError)) return false;
    this.pause('sign-in');
    return true;
  }

  /** Pauses when the answer refuses the person or the version of the app. */
  pauseIfRefused({ errors }: ApiResponse): boolean {
    const reason = PAUSE_REASONS[errors[0]?.code ?? ''];
    if (reason === undefined) return false;
    this.pause(reason);
    return true;
  }

  pause(reason: PauseReason): void {
    if (this.#pauseReason === reason) return;
    this.#pauseReason = reason;
    this.#notify();
  }

  /** Someone signed in, verified their address or was unlocked: it is worth asking again. */
  resume(): void {
    if (this.#pauseReason === null) return;
    this.#pauseReason = null;
    this.#notify();
  }

  /** Takes over the state of the leader. */
  mirrorLeader(pauseReason: PauseReason | null, problem: unknown): void {
    if (this.#pauseReason === pauseReason && (this.#problems.get('leader') ?? null) === problem)
      return;
    this.#pauseReason = pauseReason;
    if (problem === null) this.#problems.delete('leader');
    else this.#problems.set('leader', problem);
    this.#notify();
  }

  /** `component` failed, and starts again. */
  reportProblem(component: SyncComponent, error: unknown): void {
    this.#problems.set(component, error);
    this.#notify();
  }

  clearProblem(component: SyncComponent): void {
    if (this.#problems.delete(component)) this.#notify();
  }
}
