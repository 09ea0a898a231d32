import type { ServerResponse } from 'node:http';
import type { TransportListener, Transport } from './transport.ts';
import type { Timers } from '#base/timers.ts';

const CLOSING_MS = 1_000;

/** Events down `response`, whose head is written here; what the client says comes by POST. */
export function overServerSentEvents(
  response: ServerResponse,
  ears: TransportListener,
  timers: Timers,
): Transport {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  // The client is told that it is connected by the first byte, and not by the first news.
  response.write(':\r\n\r\n');
  response.on('error', () => undefined);
  response.on('drain', () => {
    ears.drained();
  });
  response.once('close', () => {
    ears.closed();
  });

  return {
    needsPings: true,
    isPostedTo: true,
    isAsked: () => false,
    send(frames) {
      // Frames are JSON: they hold no line break.
      if (!response.writableEnded) response.write(`data: ${frames}\r\n\r\n`);
    },
    waiting: () => response.writableLength,
    close() {
      response.end();
      const cancel = timers.after(CLOSING_MS, () => {
        response.destroy();
      });
      response.once('close', cancel);
    },
  };
}
