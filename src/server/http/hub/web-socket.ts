import type { WebSocket } from 'ws';
import type { TransportListener, Transport } from './transport.ts';
import type { Timers } from '#base/timers.ts';

/** A client may take this long to answer the closing of a socket. */
const CLOSING_MS = 1_000;
const NOTHING = Buffer.alloc(0);

export function overWebSocket(
  socket: WebSocket,
  listener: TransportListener,
  timers: Timers,
): Transport {
  const isOpen = () => socket.readyState === socket.OPEN;

  socket.on('message', (data: Buffer) => {
    listener.received(data);
  });
  // The library answers each of them, so they count like messages.
  socket.on('ping', () => {
    listener.received(NOTHING);
  });
  // 'close' follows every error and suffices.
  socket.on('error', () => undefined);
  socket.once('close', () => {
    listener.closed();
  });

  return {
    needsPings: true,
    isPostedTo: false,
    isPolled: () => false,
    send(frames) {
      if (!isOpen()) return;
      socket.send(frames, () => {
        if (isOpen() && socket.bufferedAmount === 0) listener.drained();
      });
    },
    waiting: () => socket.bufferedAmount,
    close() {
      socket.close(1_000);
      const cancel = timers.after(CLOSING_MS, () => {
        socket.terminate();
      });
      socket.once('close', cancel);
    },
  };
}
