import { networkInterfaces } from 'node:os';
import type { NetworkInterfaceInfo } from 'node:os';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '#protocol/limits.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Config } from '../../kernel/config.ts';
import type { Services } from '../../domain/services.ts';
import type { ConnectionLocation } from './directory.ts';

/** Requests that come to one process and belong to a connection of another (wire 10.1). */

/** Names the process that a request is meant for. The receiver never forwards the request again. */
export const PROCESS_HEADER = 'x-slipway-process';

/** This is longer than any poll. */
const ANSWERED_WITHIN_MS = limits.hubLongPollMs + 10_000;
const PASSED_ON = ['authorization', 'content-type', 'accept'];

/**
 * Lets the process that has the connection answer, in the words of this request.
 *
 * @throws ProblemError 404 when that process is gone: then its connections are over too
 */
export async function forwardToProcess(
  { log }: Services,
  { process, address }: Extract<ConnectionLocation, { is: 'elsewhere' }>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const left = signalOfLeaving(reply);
  const headers = new Headers({ [PROCESS_HEADER]: process });
  for (const name of PASSED_ON) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  try {
    const answer = await fetch(`${address}${request.url}`, {
      method: request.method,
      headers,
      redirect: 'error',
      signal: AbortSignal.any([left, AbortSignal.timeout(ANSWERED_WITHIN_MS)]),
      ...(Buffer.isBuffer(request.body) ? { body: new Uint8Array(request.body) } : {}),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    for (const name of ['content-type', 'allow', 'retry-after']) {
      const value = answer.headers.get(name);
      if (value !== null) void reply.header(name, value);
    }
    return await reply.code(answer.status).send(body.length === 0 ? undefined : body);
  } catch (error) {
    if (!left.aborted)
      log.warn({ err: error, address }, 'The process of a hub connection does not answer');
    throw new ProblemError({ code: 'not-found' });
  }
}

/**
 * Returns a signal that is aborted when the client leaves before its answer, or at once if it has
 * left.
 */
export function signalOfLeaving({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  if (raw.destroyed) left.abort();
  raw.once('close', () => {
    if (!raw.writableEnded) left.abort();
  });
  return left.signal;
}

type Interfaces = ReturnType<typeof networkInterfaces>;

/**
 * Returns where other processes reach this one: the setting, else the address at which it listens.
 */
export function internalAddress(
  config: Config,
  interfaces: Interfaces = networkInterfaces(),
): string {
  if (config.internalUrl !== null) return config.internalUrl;
  const { host, port } = config;
  const isAny = host === '0.0.0.0' || host === '::';
  const reached = isAny ? outerAddress(interfaces) : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${String(port)}`;
}

/** Returns the first address by which other machines know this one. */
function outerAddress(interfaces: Interfaces): string {
  const isOuter = ({ internal, family }: NetworkInterfaceInfo) => !internal && family === 'IPv4';
  const outer = Object.values(interfaces).flatMap((known) => (known ?? []).filter(isOuter));
  return outer[0]?.address ?? '127.0.0.1';
}
