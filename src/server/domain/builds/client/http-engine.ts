import { parseJson } from '#base/json.ts';
import { withoutSlashAtEnd } from '#base/slash.ts';
import {
  buildIn,
  buildsIn,
  instantIn,
  jobIn,
  projectIn,
  releaseIn,
} from './parse-engine-answers.ts';
import { ARTIFACT_MOST_BYTES, EngineError } from '#protocol/engine.ts';
import type { BuildEngine, FileHead } from '#protocol/engine.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import { OutboundError } from './outbound-fetch.ts';
import type { OutboundRequest, OutboundFetch, OutboundResponse } from './outbound-fetch.ts';

export interface EngineAddress {
  readonly url: string;
  /** Null: requests go without a token. */
  readonly token: string | null;
}

const AT_A_TIME = 10;
const CALL_WITHIN_MS = 30_000;
const ARTIFACT_WITHIN_MS = 10_000;
const ANSWER_MOST_BYTES = 1_048_576;

/** An engine over HTTP. At most ten requests to it, and for its files, are under way at a time. */
export function openHttpEngine(address: EngineAddress, outboundFetch: OutboundFetch): BuildEngine {
  const runLimited = createConcurrencyLimit(AT_A_TIME);
  const send = async (method: OutboundRequest['method'], path: string, body?: object) => {
    const request = callAt(address, method, path, body);
    return readable(await runLimited(() => requestEngine(outboundFetch, request)), path);
  };
  const fetched = (method: 'GET' | 'HEAD', url: string) =>
    runLimited(() => fileAt(outboundFetch, method, url));

  return {
    check: async () => {
      await runLimited(async () => {
        const { status } = await requestEngine(
          outboundFetch,
          callAt(address, 'GET', 'system/check'),
        );
        if (status !== 200) throw failureOf(status, 'system/check');
      });
    },
    createProject: async ({ appId, projectName, languageCode }) =>
      projectIn(
        await send('POST', 'project', {
          app_id: appId,
          project_name: projectName,
          language_code: languageCode,
          storage_type: 's3',
        }),
      ),
    project: async (id) => theOne(projectIn(await send('GET', `project/${id}`)), id),
    createJob: async ({ requestId, gitUrl, appId, publisherId }) =>
      jobIn(
        await send('POST', 'job', {
          request_id: requestId,
          git_url: gitUrl,
          app_id: appId,
          publisher_id: publisherId,
        }),
      ),
    job: async (id) => theOne(jobIn(await send('GET', `job/${id}`)), id),
    builds: async (job) => buildsIn(await send('GET', `job/${job}/build`)),
    createBuild: async (job, { targets, environment }) =>
      buildIn(await send('POST', `job/${job}/build`, { targets: targets.join(' '), environment })),
    build: async (job, id) => theOne(buildIn(await send('GET', `job/${job}/build/${id}`)), id),
    createRelease: async (job, build, { channel, targets, environment }) =>
      releaseIn(
        await send('PUT', `job/${job}/build/${build}`, {
          channel,
          targets: targets.join(' '),
          environment,
        }),
      ),
    release: async (job, build, id) =>
      theOne(releaseIn(await send('GET', `job/${job}/build/${build}/release/${id}`)), id),
    head: async (url) => headIn(await fetched('HEAD', url)),
    text: async (url) => (await fetched('GET', url))?.body.toString('utf8') ?? null,
  };
}

function callAt(
  { url, token }: EngineAddress,
  method: OutboundRequest['method'],
  path: string,
  body?: object,
): OutboundRequest {
  // A token with any other character cannot be sent: no engine would take it.
  if (token !== null && !/^[\x21-\x7e]+$/.test(token)) throw new EngineError('refused');
  const at = new URL(url);
  at.pathname = `${withoutSlashAtEnd(at.pathname)}/${path}`;
  at.search = '';
  return {
    method,
    url: at,
    headers: {
      accept: 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    withinMs: CALL_WITHIN_MS,
    mostBytes: ANSWER_MOST_BYTES,
  };
}

async function requestEngine(
  outboundFetch: OutboundFetch,
  request: OutboundRequest,
): Promise<OutboundResponse> {
  try {
    return await outboundFetch(request);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new EngineError(error.because === 'too-large' ? 'no-usable-answer' : error.because);
  }
}

function readable({ status, body }: OutboundResponse, path: string): unknown {
  if (status < 200 || status > 299) throw failureOf(status, path);
  try {
    return parseJson(body.toString('utf8'));
  } catch {
    throw new EngineError('no-usable-answer');
  }
}

function failureOf(status: number, path: string): EngineError {
  if (status === 401 || status === 403) return new EngineError('refused');
  // Without an id in the request, 404 is about the engine's address and not about something that is
  // gone.
  return new EngineError(status === 404 && /\d/.test(path) ? 'unknown' : 'no-usable-answer');
}

function theOne<T extends { readonly id: number }>(answer: T, id: number): T {
  if (answer.id !== id) throw new EngineError('no-usable-answer');
  return answer;
}

/**
 * Returns a file. Files are not on the engine itself, so its token is not for them. Null: the file
 * cannot be had.
 */
async function fileAt(
  outboundFetch: OutboundFetch,
  method: 'GET' | 'HEAD',
  url: string,
): Promise<OutboundResponse | null> {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return null;
  const [withinMs, mostBytes] = [ARTIFACT_WITHIN_MS, ARTIFACT_MOST_BYTES];
  try {
    const reply = await outboundFetch({
      method,
      url: new URL(url),
      headers: {},
      withinMs,
      mostBytes,
    });
    return reply.status === 200 ? reply : null;
  } catch (error) {
    if (error instanceof OutboundError) return null;
    throw error;
  }
}

function headIn(reply: OutboundResponse | null): FileHead | null {
  if (reply === null) return null;
  const { 'content-length': size, 'content-type': type, 'last-modified': at } = reply.headers;
  return {
    sizeBytes: size !== undefined && /^\d{1,15}$/.test(size) ? Number(size) : null,
    contentType: type ?? null,
    updated: instantIn(at),
  };
}
