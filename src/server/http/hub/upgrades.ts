import { ServerResponse } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { limits } from '#protocol/limits.ts';
import type { Timers } from '#base/timers.ts';

interface Upgrade {
  readonly socket: Socket;
  readonly head: Buffer;
  /** Ends the time limit. */
  readonly cancel: () => void;
}

export interface Sockets {
  isUpgrade(request: FastifyRequest): boolean;
  open(request: FastifyRequest, opened: (socket: WebSocket) => void): void;
  /** Cuts the sockets that are still open, for which a server that closes would wait, and opens no more. */
  close(): void;
}

/**
 * Lets upgrades take the way of every request, so that they are checked and refused like others. An
 * upgrade that is not answered in time is cut: the server's own time limits end where an upgrade
 * begins.
 */
export function acceptSockets(app: FastifyInstance, timers: Timers): Sockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: limits.hubUnfinishedBytes });
  const upgrades = new WeakMap<IncomingMessage, Upgrade>();

  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const response = new ServerResponse(request);
    socket.on('error', () => undefined);
    response.assignSocket(socket);
    response.shouldKeepAlive = false;
    // A refused client might keep its half of the connection open for ever.
    response.once('finish', () => {
      socket.destroySoon();
    });
    if (request.headers.upgrade?.toLowerCase() === 'websocket') {
      const cancel = timers.after(limits.answerWithinMs, () => {
        if (!response.headersSent) socket.destroy();
      });
      response.once('finish', cancel);
      socket.once('close', cancel);
      upgrades.set(request, { socket, head, cancel });
    }
    app.routing(request, response);
  });

  return {
    isUpgrade: ({ raw }) => upgrades.has(raw),
    open({ raw }, opened) {
      const upgrade = upgrades.get(raw);
      if (upgrade === undefined) return;
      upgrade.cancel();
      server.handleUpgrade(raw, upgrade.socket, upgrade.head, opened);
    },
    close() {
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}
