import { ServerResponse } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { limits } from '#protocol/limits.ts';

export interface Sockets {
  isUpgrade(request: FastifyRequest): boolean;
  open(request: FastifyRequest, opened: (socket: WebSocket) => void): void;
  close(): void;
}

/** Lets upgrades take the way of every request, so that they are checked and refused like others. */
export function acceptSockets(app: FastifyInstance): Sockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: limits.hubUnfinishedBytes });
  const upgrades = new WeakMap<IncomingMessage, { socket: Socket; head: Buffer }>();

  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const response = new ServerResponse(request);
    socket.on('error', () => undefined);
    response.assignSocket(socket);
    response.shouldKeepAlive = false;
    response.once('finish', () => {
      socket.end();
    });
    if (request.headers.upgrade?.toLowerCase() === 'websocket')
      upgrades.set(request, { socket, head });
    app.routing(request, response);
  });

  return {
    isUpgrade: ({ raw }) => upgrades.has(raw),
    open({ raw }, opened) {
      const upgrade = upgrades.get(raw);
      if (upgrade !== undefined) server.handleUpgrade(raw, upgrade.socket, upgrade.head, opened);
    },
    close() {
      server.close();
    },
  };
}
