import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Outcome } from './run.ts';
import type { History, Order } from './worker.ts';

export interface Crew {
  readonly workers: number;
  readonly env?: NodeJS.ProcessEnv;
  readonly isTraced?: boolean;
  readonly history?: History;
  readonly changes?: number;
  /** Ends it, also where a seed does not. */
  readonly signal?: AbortSignal;
  /** Told of each seed when it is done; false: enough. */
  readonly heard: (outcome: Outcome) => boolean;
}

/** What a process keeps of a seed would fill its memory after some hundreds. */
const SEEDS_A_WORKER = 200;

/**
 * Runs the seeds, several at once, in processes of their own.
 *
 * @throws Error when a process ended by itself, or `signal` ended it
 */
export async function runSeeds(
  seeds: readonly number[],
  { workers, env = process.env, signal, heard, ...how }: Crew,
): Promise<void> {
  const left = [...seeds].reverse();
  const one = (): Promise<void> =>
    new Promise((done, fail) => {
      const child = startWorker(env, signal);
      let isDone = false;
      let run = 0;
      const next = (): void => {
        const seed = run < SEEDS_A_WORKER ? left.pop() : undefined;
        run += 1;
        isDone = seed === undefined;
        if (seed === undefined) child.kill();
        else child.send({ seed, isTraced: false, ...how } satisfies Order);
      };
      child.on('message', (message: 'ready' | Outcome) => {
        if (message !== 'ready' && !heard(message)) left.length = 0;
        next();
      });
      child.once('error', fail);
      child.once('exit', (code, signal) => {
        if (isDone) done();
        else fail(new Error(`A worker ended (${String(code ?? signal)})`));
      });
    });
  const inTurn = async (): Promise<void> => {
    while (left.length > 0) await one();
  };
  await Promise.all(Array.from({ length: Math.min(workers, seeds.length) }, inTurn));
}

function startWorker(env: NodeJS.ProcessEnv, signal?: AbortSignal): ChildProcess {
  return fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), {
    env,
    execArgv: ['--import', 'tsx'],
    killSignal: 'SIGKILL',
    ...(signal === undefined ? {} : { signal }),
  });
}
