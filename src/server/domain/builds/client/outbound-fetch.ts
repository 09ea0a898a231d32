import { lookup as systemLookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { request as requestHttp } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { hostOf, isPrivateAddress, isPrivateHost } from '../../../kernel/private-host.ts';
import type { Timers } from '#base/timers.ts';

export interface OutboundRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly withinMs: number;
  /** The limit for the answer. */
  readonly mostBytes: number;
}

export interface OutboundResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a request to a server that somebody named. Follows no redirect. @throws OutboundError */
export type OutboundFetch = (request: OutboundRequest) => Promise<OutboundResponse>;

/** It keeps no cause, which might contain what was sent. */
export class OutboundError extends Error {
  readonly because: 'unreachable' | 'address-not-allowed' | 'too-large';

  constructor(because: OutboundError['because']) {
    super(`No answer: ${because}`);
    this.name = 'OutboundError';
    this.because = because;
  }
}

interface OutboundOptions {
  /** Hosts that may be called although their address is private, in lower case. */
  readonly hosts: readonly string[];
  readonly timers: Timers;
  readonly lookup?: typeof systemLookup;
}

/**
 * Makes the only way to servers that people name: never to a private address, unless its host is
 * listed.
 */
export function createOutboundFetch({
  hosts,
  timers,
  lookup = systemLookup,
}: OutboundOptions): OutboundFetch {
  const guarded = guardedLookup(lookup);
  return async (request) => {
    const host = hostOf(request.url);
    const isNamed = hosts.includes(host);
    if (!isNamed && isPrivateHost(request.url.href)) throw new OutboundError('address-not-allowed');

    const timeOut = new AbortController();
    const cancel = timers.after(request.withinMs, () => {
      timeOut.abort();
    });
    try {
      return await sendRequest(request, {
        method: request.method,
        headers: headersOf(request),
        signal: timeOut.signal,
        // Each request has its own connection: a kept one would outlive the check of its address.
        agent: false,
        ...(isNamed ? { lookup } : { lookup: guarded }),
      });
    } catch (error) {
      throw error instanceof OutboundError ? error : new OutboundError('unreachable');
    } finally {
      cancel();
    }
  };
}

const headersOf = ({ headers, body }: OutboundRequest): Record<string, string> => ({
  ...headers,
  'accept-encoding': 'identity',
  ...(body === undefined
    ? {}
    : {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      }),
});

function sendRequest(
  { url, body, mostBytes }: OutboundRequest,
  options: RequestOptions,
): Promise<OutboundResponse> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  // The address is taken apart, because a name and password in it would replace the token.
  const { hostname, port, pathname, search } = url;
  const host = hostname.replace(/^\[|\]$/g, '');
  const place = { hostname: host, path: `${pathname}${search}`, ...(port === '' ? {} : { port }) };
  return new Promise((done, fail) => {
    const connection = request({ ...options, ...place });
    connection.once('response', (answer) => {
      bodyOf(answer, mostBytes).then((whole) => {
        done({ status: answer.statusCode ?? 0, headers: answer.headers, body: whole });
      }, fail);
    });
    connection.once('error', fail);
    connection.end(body);
  });
}

async function bodyOf(answer: IncomingMessage, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop ends the connection.
    if (size > mostBytes) throw new OutboundError('too-large');
    chunks.push(chunk);
  }
  if (!answer.complete) throw new OutboundError('unreachable');
  return Buffer.concat(chunks);
}

/**
 * Checks the address of a name at the moment of connecting, and connects to that one: a name that
 * had another address a moment ago leads nobody into a private network.
 */
function guardedLookup(lookup: typeof systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, '');
        return;
      }
      const [first] = found;
      if (first === undefined || found.some(isPrivate)) {
        callback(new OutboundError('address-not-allowed'), '');
        return;
      }
      if (options.all === true) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

const isPrivate = ({ address }: LookupAddress): boolean => isPrivateAddress(address);
