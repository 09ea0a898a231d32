import { randomFillSync } from 'node:crypto';
import { readConfig } from '#server/kernel/config.ts';
import { listen, open } from '#server/main.ts';
import type { Services } from '#server/domain/services.ts';
import { freshFolder, smallApp } from '../../support/server.ts';

/**
 * A server that prints each moment of what it does for a product, and is gone (SIGKILL) at the one
 * that is named. Its clock is so many ms ahead.
 */

const [, , killAt = '', ahead = '0'] = process.argv;

/** Never resolves at the moment of the kill. */
async function reach(moment: string): Promise<void> {
  process.stdout.write(`${moment}\n`);
  if (moment !== killAt) return;
  process.kill(process.pid, 'SIGKILL');
  await new Promise<never>(() => undefined);
}

type Call = (...given: readonly unknown[]) => Promise<unknown>;

/** Before the engine is asked, and when it has answered and nobody knows yet. */
function watchEngine({ engines }: Services): () => string {
  const calls = engines.bundled as unknown as Record<string, Call>;
  let status = '';
  for (const name of ['createProject', 'createJob', 'createBuild', 'createRelease']) {
    const call = callOf(calls, name);
    calls[name] = async (...given) => {
      await reach(`${name} asked`);
      const answer = await call(...given);
      await reach(`${name} answered`);
      return answer;
    };
  }
  for (const name of ['build', 'release']) {
    const call = callOf(calls, name);
    calls[name] = async (...given) => {
      const answer = await call(...given);
      ({ status } = answer as { readonly status: string });
      await reach(`${name} ${status}`);
      return answer;
    };
  }
  return () => status;
}

function callOf(calls: Readonly<Record<string, Call>>, name: string): Call {
  const call = calls[name];
  if (call === undefined) throw new Error(`The engine has no ${name}`);
  return call;
}

/** Reports when a job has ended with all that it wrote. */
function watchJobs({ jobs }: Services, status: () => string): void {
  const on = jobs.on.bind(jobs);
  jobs.on = (name, work) => {
    on(name, async (data, attempt) => {
      await work(data, attempt);
      const isLook = name.startsWith('watch-') && status() !== 'completed';
      await reach(isLook ? `${name} looked` : `${name} done`);
    });
  };
}

const surroundings = {
  clock: () => Date.now() + Number(ahead),
  random: (bytes: Uint8Array) => randomFillSync(bytes),
  appDir: smallApp(freshFolder()),
};
const { services, close } = await open(readConfig(process.env), surroundings);
watchJobs(services, watchEngine(services));
await listen(services, close, surroundings.appDir);
await services.engines.bundled.open();
await services.jobs.start();
process.stdout.write('ready\n');
