import { build } from './build.ts';
import { ContentRefused } from '../content/refusal.ts';
import { BuildFailure } from './failure.ts';
import { logInto } from './log.ts';
import type { BuildOrder } from './order.ts';
import type { FromBuild } from './runner.ts';

/** A process for one build: the order comes as a message, lines and files go back the same way. */

// Whoever gave the order is gone: nobody waits for this, nor for the tools at work in its group.
process.on('disconnect', () => process.kill(-process.pid, 'SIGKILL'));
process.once('message', (order) => {
  void run(order as BuildOrder);
});

async function run(order: BuildOrder): Promise<void> {
  const log = logInto((line) => {
    sendMessage({ is: 'line', line });
  });
  const made = (files: Parameters<Parameters<typeof build>[2]>[0]) => {
    sendMessage({ is: 'made', files });
  };
  const error = await build(order, log, made).then(
    () => null,
    (reason: unknown) => sentenceOf(reason),
  );
  sendMessage({ is: 'ended', error }, () => process.exit(0));
}

function sendMessage(message: FromBuild, then: () => void = () => undefined): void {
  process.send?.(message, undefined, undefined, then);
}

function sentenceOf(error: unknown): string {
  if (error instanceof BuildFailure) return error.message;
  if (error instanceof ContentRefused) return `The content is refused. ${error.message}`;
  throw error;
}
