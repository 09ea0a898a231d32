import type { Closed } from '../model/views.ts';
import { SignInNeeded } from './remote.ts';
import type { Answer } from '../model/answer.ts';

const CLOSES: Readonly<Record<string, Closed>> = {
  'not-signed-in': 'sign-in',
  'email-not-verified': 'email-not-verified',
  'user-locked': 'user-locked',
  'client-too-old': 'client-too-old',
};

/** What can stumble; `leader` is another tab. */
export type Piece = 'sender' | 'catch-up' | 'live' | 'answers' | 'copy' | 'leader';

/** Whether sender, hub and catch-up may go on. It keeps everything; it only makes them wait. */
export class Gate {
  #closed: Closed | null = null;
  readonly #problems = new Map<Piece, unknown>();
  readonly #listeners = new Set<() => void>();

  get isOpen(): boolean {
    return this.#closed === null;
  }

  get closed(): Closed | null {
    return this.#closed;
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

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Closes when `error` says that signing in is needed. */
  closesFor(error: unknown): boolean {
    if (!(error instanceof SignInNeeded)) return false;
    this.close('sign-in');
    return true;
  }

  /** Closes when the answer is about who asks, or with which app. */
  closesOn({ errors }: Answer): boolean {
    const reason = CLOSES[errors[0]?.code ?? ''];
    if (reason === undefined) return false;
    this.close(reason);
    return true;
  }

  close(reason: Closed): void {
    if (this.#closed === reason) return;
    this.#closed = reason;
    this.#tell();
  }

  /** Someone signed in, verified their address or was unlocked: it is worth asking again. */
  open(): void {
    if (this.#closed === null) return;
    this.#closed = null;
    this.#tell();
  }

  /** As the leading tab has it. */
  follow(closed: Closed | null, problem: unknown): void {
    if (this.#closed === closed && (this.#problems.get('leader') ?? null) === problem) return;
    this.#closed = closed;
    if (problem === null) this.#problems.delete('leader');
    else this.#problems.set('leader', problem);
    this.#tell();
  }

  /** `piece` stumbled, and starts again. */
  hadProblem(piece: Piece, error: unknown): void {
    this.#problems.set(piece, error);
    this.#tell();
  }

  wentWell(piece: Piece): void {
    if (this.#problems.delete(piece)) this.#tell();
  }
}
