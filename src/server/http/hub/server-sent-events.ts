import type { ServerResponse } from 'node:http';
import type { TransportListener, Transport } from './transport.ts';
import type { Timers } from '#base/timers.ts';

const CLOSING_MS = 1_000;

/** Sends events down `response`, whose head is written here; the client's messages come by POST. */
export function overServerSentEvents(
  response: ServerResponse,
  listener: TransportListener,
  timers: Timers,
): Transport {
  response.writeHead(200, {
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  // The first byte tells the client that it is connected; the first update would come later.
  response.write(':\r\n\r\n');
  response.on('error', () => undefined);
  response.on('drain', () => {
    listener.drained();
  });
  response.once('close', () => {
    listener.closed();
  });

  return {
    needsPings: true,
    isPostedTo: true,
    isPolled: () => false,
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
