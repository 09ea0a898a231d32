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
  /** Of the answer. */
  readonly mostBytes: number;
}

export interface OutboundResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Asks a server that somebody named. Follows no redirect. @throws NotReached */
export type OutboundFetch = (errand: OutboundRequest) => Promise<OutboundResponse>;

/** Keeps no cause: it might tell what was sent. */
export class OutboundError extends Error {
  readonly because: 'unreachable' | 'address-not-allowed' | 'too-large';

  constructor(because: OutboundError['because']) {
    super(`No answer: ${because}`);
    this.name = 'NotReached';
    this.because = because;
  }
}

interface OutboundOptions {
  /** Lower case: they may be called although their address is private. */
  readonly hosts: readonly string[];
  readonly timers: Timers;
  readonly lookup?: typeof systemLookup;
}

/** The one way to servers that people name: never to a private address, unless its host is named. */
export function createOutboundFetch({
  hosts,
  timers,
  lookup = systemLookup,
}: OutboundOptions): OutboundFetch {
  const guarded = guardedLookup(lookup);
  return async (errand) => {
    const host = hostOf(errand.url);
    const isNamed = hosts.includes(host);
    if (!isNamed && isPrivateHost(errand.url.href)) throw new OutboundError('address-not-allowed');

    const timeOut = new AbortController();
    const cancel = timers.after(errand.withinMs, () => {
      timeOut.abort();
    });
    try {
      return await sendRequest(errand, {
        method: errand.method,
        headers: headersOf(errand),
        signal: timeOut.signal,
        // A connection of its own: one that is kept would outlive the look at its address.
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
  // Not the address as it is: a name and password in it would replace the token.
  const { hostname, port, pathname, search } = url;
  const host = hostname.replace(/^\[|\]$/g, '');
  const place = { hostname: host, path: `${pathname}${search}`, ...(port === '' ? {} : { port }) };
  return new Promise((done, fail) => {
    const asked = request({ ...options, ...place });
    asked.once('response', (answer) => {
      bodyOf(answer, mostBytes).then((whole) => {
        done({ status: answer.statusCode ?? 0, headers: answer.headers, body: whole });
      }, fail);
    });
    asked.once('error', fail);
    asked.end(body);
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
 * Looks at what a name means at the moment of connecting, and connects to that: a name that meant
 * something else a moment ago gets nobody into a private network.
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
