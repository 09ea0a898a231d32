import type { Standing } from './use-viewer.ts';
import { SignInNeeded } from './remote.ts';
import type { Answer } from './remote.ts';

/** Why nothing is asked of the server until a person did something. */
export type Closed =
  'sign-in' | Extract<Standing, 'email-not-verified' | 'user-locked' | 'client-too-old'>;

const CLOSES: Readonly<Record<string, Closed>> = {
  'not-signed-in': 'sign-in',
  'email-not-verified': 'email-not-verified',
  'user-locked': 'user-locked',
  'client-too-old': 'client-too-old',
};

/** Whether sender, hub and catch-up may go on. It keeps everything; it only makes them wait. */
export class Gate {
  #closed: Closed | null = null;
  #problem: unknown = null;
  readonly #listeners = new Set<() => void>();

  get isOpen(): boolean {
    return this.#closed === null;
  }

  get closed(): Closed | null {
    return this.#closed;
  }

  /** What one of the pieces stumbled over last; null once something went well again. */
  get problem(): unknown {
    return this.#problem;
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

  hadProblem(error: unknown): void {
    this.#problem = error;
    this.#tell();
  }

  wentWell(): void {
    if (this.#problem === null) return;
    this.#problem = null;
    this.#tell();
  }
}
