import type { PauseReason } from '../model/views.ts';
import { SignInNeededError } from './remote.ts';
import type { ApiResponse } from '../model/answer.ts';

const PAUSE_REASONS: Readonly<Record<string, PauseReason>> = {
  'not-signed-in': 'sign-in',
  'email-not-verified': 'email-not-verified',
  'user-locked': 'user-locked',
  'client-too-old': 'client-too-old',
};

/** What can stumble; `leader` is another tab. */
export type SyncComponent = 'sender' | 'catch-up' | 'live' | 'answers' | 'copy' | 'leader';

/** Whether sender, hub and catch-up may go on. It keeps everything; it only makes them wait. */
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

  /** What one of the pieces stumbled over; null once they all went well again. */
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

  /** Closes when `error` says that signing in is needed. */
  pauseIfSignInNeeded(error: unknown): boolean {
    if (!(error instanceof SignInNeededError)) return false;
    this.pause('sign-in');
    return true;
  }

  /** Closes when the answer is about who asks, or with which app. */
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

  /** As the leading tab has it. */
  mirrorLeader(closed: PauseReason | null, problem: unknown): void {
    if (this.#pauseReason === closed && (this.#problems.get('leader') ?? null) === problem) return;
    this.#pauseReason = closed;
    if (problem === null) this.#problems.delete('leader');
    else this.#problems.set('leader', problem);
    this.#notify();
  }

  /** `piece` stumbled, and starts again. */
  reportProblem(piece: SyncComponent, error: unknown): void {
    this.#problems.set(piece, error);
    this.#notify();
  }

  clearProblem(piece: SyncComponent): void {
    if (this.#problems.delete(piece)) this.#notify();
  }
}
