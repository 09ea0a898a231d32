import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BundledEngine } from '#engine/bundled-engine.ts';
import { EngineError } from '#protocol/engine.ts';
import type { EngineBuild, EngineProject, EngineRelease } from '#protocol/engine.ts';

/** What an engine can do wrong; each lasts until another is ordered. */
export type Fault =
  | 'none'
  | 'hang'
  | 'garbage'
  | 'empty'
  | 'wrong shape'
  | 'id 0'
  | 'another id'
  | 'too large'
  | 'redirect'
  | 'disconnect'
  | 'cut short'
  | 500
  | 401
  | 403;

interface Heard {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | null;
}

type Values = Readonly<Record<string, unknown>>;

const TOO_LARGE_BYTES = 2_000_000;

/** Those that send something. */
const wrongs: Readonly<Partial<Record<Fault, (response: ServerResponse) => void>>> = {
  garbage: (response) => response.end('<html>Welcome</html>'),
  empty: (response) => response.end(),
  'wrong shape': (response) => response.end('{"data": [1, 2, 3]}'),
  'too large': (response) => response.end(`"${'x'.repeat(TOO_LARGE_BYTES)}"`),
  redirect: (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  disconnect: (response) => response.destroy(),
  'cut short': (response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"id": 1,', () => response.destroy());
  },
};

/**
 * The contract of build engines over HTTP, as an engine elsewhere would speak it, with the bundled
 * engine behind it.
 */
export class EngineServer {
  readonly token = 'the-token-of-this-engine';
  readonly heard: Heard[] = [];
  url = '';
  fault: Fault = 'none';
  /** Most requests that were being answered at one moment. */
  mostAtOnce = 0;
  #atOnce = 0;
  #gate: { readonly at: number; readonly opened: Promise<void>; open: () => void } | null = null;
  readonly #engine: BundledEngine;
  readonly #server: Server;

  private constructor(engine: BundledEngine) {
    this.#engine = engine;
    this.#server = createServer((request, response) => {
      void this.#hear(request, response);
    });
  }

  static async start(engine: BundledEngine): Promise<EngineServer> {
    const server = new EngineServer(engine);
    await new Promise<void>((done) => server.#server.listen(0, '127.0.0.1', done));
    server.url = `http://127.0.0.1:${(server.#server.address() as AddressInfo).port}`;
    return server;
  }

  /** Answers nobody until so many have asked. */
  holdUntil(at: number): void {
    let open: () => void = () => undefined;
    const opened = new Promise<void>((done) => {
      open = done;
    });
    this.#gate = { at, opened, open };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  async #hear(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', this.url).pathname;
    const { method = 'GET', headers } = request;
    this.heard.push({ method, path, authorization: headers.authorization ?? null });
    this.#atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    response.once('close', () => (this.#atOnce -= 1));
    if (this.#gate !== null) {
      if (this.#atOnce >= this.#gate.at) this.#gate.open();
      await this.#gate.opened;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    if (this.#isFaulty(response)) return;
    if (path.startsWith('/files/')) await this.#sendFile(path, method, response);
    else await this.#sendAnswer(method, path, Buffer.concat(chunks), headers, response);
  }

  /** Whether it has answered, or never will. */
  #isFaulty(response: ServerResponse): boolean {
    if (typeof this.fault === 'number') response.writeHead(this.fault).end('{"id": 1}');
    else wrongs[this.fault]?.(response);
    return !['none', 'id 0', 'another id'].includes(String(this.fault));
  }

  async #sendAnswer(
    method: string,
    path: string,
    body: Buffer,
    { authorization }: IncomingMessage['headers'],
    response: ServerResponse,
  ): Promise<void> {
    if (authorization !== `Bearer ${this.token}`) {
      response.writeHead(401).end();
      return;
    }
    try {
      const asked = (body.length === 0 ? {} : JSON.parse(body.toString())) as Values;
      const answer = this.#falsified(await this.#answerTo(`${method} ${path}`, asked));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      if (error.because === 'unreachable') response.destroy();
      else response.writeHead(error.because === 'unknown' ? 404 : 422).end('{}');
    }
  }

  #falsified(answer: Values | readonly Values[]): unknown {
    if (this.fault === 'id 0') return Object.assign({}, answer, { id: 0 });
    return this.fault === 'another id' ? Object.assign({}, answer, { id: 987_654 }) : answer;
  }

  async #answerTo(line: string, asked: Values): Promise<Values | readonly Values[]> {
    for (const [pattern, answer] of this.#routes) {
      const found = pattern.exec(line);
      if (found !== null) return answer(asked, ...found.slice(1).map(Number));
    }
    throw new EngineError('unknown');
  }

  readonly #routes: readonly (readonly [
    RegExp,
    (asked: Values, ...ids: number[]) => Promise<Values | readonly Values[]>,
  ])[] = [
    [/^GET \/system\/check$/, () => this.#engine.check().then(() => ({}))],
    [
      /^POST \/project$/,
      async (asked) =>
        this.#projectAnswer(
          await this.#engine.createProject({
            appId: asked.app_id as string,
            projectName: asked.project_name as string,
            languageCode: asked.language_code as string,
          }),
        ),
    ],
    [
      /^GET \/project\/(\d+)$/,
      async (_, id = 0) => this.#projectAnswer(await this.#engine.project(id)),
    ],
    [
      /^POST \/job$/,
      async (asked) =>
        jobAnswer(
          await this.#engine.createJob({
            requestId: asked.request_id as string,
            gitUrl: this.#inside(asked.git_url as string),
            appId: asked.app_id as string,
            publisherId: asked.publisher_id as string | null,
          }),
        ),
    ],
    [/^GET \/job\/(\d+)$/, async (_, id = 0) => jobAnswer(await this.#engine.job(id))],
    [
      /^GET \/job\/(\d+)\/build$/,
      async (_, job = 0) =>
        (await this.#engine.builds(job)).map((build) => this.#buildAnswer(build)),
    ],
    [
      /^POST \/job\/(\d+)\/build$/,
      async (asked, job = 0) =>
        this.#buildAnswer(await this.#engine.createBuild(job, wantedIn(asked))),
    ],
    [
      /^GET \/job\/(\d+)\/build\/(\d+)$/,
      async (_, job = 0, id = 0) => this.#buildAnswer(await this.#engine.build(job, id)),
    ],
    [
      /^PUT \/job\/(\d+)\/build\/(\d+)$/,
      async (asked, job = 0, build = 0) => {
        const wanted = { ...wantedIn(asked), channel: asked.channel as string };
        return this.#releaseAnswer(await this.#engine.createRelease(job, build, wanted));
      },
    ],
    [
      /^GET \/job\/(\d+)\/build\/(\d+)\/release\/(\d+)$/,
      async (_, job = 0, build = 0, id = 0) =>
        this.#releaseAnswer(await this.#engine.release(job, build, id)),
    ],
  ];

  #buildAnswer({ artifacts, ...build }: EngineBuild): Values {
    const urls = Object.entries(artifacts).map(([type, url]) => [type, this.#outside(url)]);
    return {
      ...standingAnswer(build),
      targets: build.targets,
      artifacts: Object.fromEntries([...urls, ['aab', null]]) as Values,
    };
  }

  #releaseAnswer(release: EngineRelease): Values {
    const { channel, artifacts, consoleText } = release;
    const address = consoleText === null ? null : this.#outside(consoleText);
    return { ...standingAnswer(release), channel, artifacts, console_text: address };
  }

  #projectAnswer({ id, status, result, error, url }: EngineProject): Values {
    return { id, status, result, error, url: url === null ? null : this.#outside(url) };
  }

  /** The address of a file or a repository where this server gives it. */
  #outside(url: string): string {
    return url.replace(/^bundled:\//, `${this.url}/files/`);
  }

  #inside(url: string): string {
    return url.replace(`${this.url}/files/`, 'bundled:/');
  }

  async #sendFile(path: string, method: string, response: ServerResponse): Promise<void> {
    const file = await this.#engine.fileAt(path.replace(/^\/files\//, 'bundled:/'));
    if (file === null) {
      response.writeHead(404).end();
      return;
    }
    const { size, mtime } = await stat(file.path);
    response.writeHead(200, {
      'content-length': size,
      'content-type': file.contentType,
      'last-modified': mtime.toUTCString(),
    });
    if (method === 'HEAD') response.end();
    else createReadStream(file.path).pipe(response);
  }
}

const wantedIn = ({ targets, environment }: Values) => ({
  targets: (targets as string).split(' '),
  environment: environment as Readonly<Record<string, string>>,
});

type Standing = Pick<EngineBuild, 'id' | 'status' | 'result' | 'error' | 'updated'>;

const standingAnswer = (of: Standing): Values => ({
  id: of.id,
  status: of.status,
  result: of.result,
  error: of.error,
  updated: of.updated,
});

const jobAnswer = (job: Awaited<ReturnType<BundledEngine['job']>>): Values => ({
  id: job.id,
  request_id: job.requestId,
  git_url: job.gitUrl,
  publisher_id: job.publisherId,
});
