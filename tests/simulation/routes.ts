import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { newId } from '#base/id.ts';
import { limits } from '#protocol/limits.ts';
import { ProblemError } from '#protocol/problem.ts';
import { apiRoutes } from '#server/http/api/api-routes.ts';
import { readConfig } from '#server/kernel/config.ts';
import { layApi } from '#server/http/api-layer.ts';
import { answerProblem } from '#server/http/problems.ts';
import type { Services } from '#server/domain/services.ts';
import type { Timers } from '#base/timers.ts';

export const config = readConfig({ DEMO: '0', PORT: '3000', DATA_DIR: '/nowhere' });
export const silent = pino({ level: 'silent' });

export interface Asked {
  readonly method: string;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Serving {
  readonly parts: Services;
  readonly timers: Timers;
}

/**
 * The routes, which take a while to lay and hold nothing: every process that is simulated here
 * uses the same, one after the other, each with parts of its own.
 */
export class Routes {
  readonly #app: FastifyInstance;
  #process: Serving | null = null;

  private constructor() {
    this.#app = fastify({
      loggerInstance: silent,
      genReqId: () => newId(this.#parts.clock, this.#parts.random),
      requestIdHeader: false,
      routerOptions: { maxParamLength: limits.addressBytes },
    }) as unknown as FastifyInstance;
  }

  get #parts(): Services {
    if (this.#process === null) throw new Error('The server is down');
    return this.#process.parts;
  }

  /** What `buildApp` puts together, without what serves files, compresses, and signs people in. */
  static async lay(): Promise<Routes> {
    const routes = new Routes();
    const app = routes.#app;
    const parts: Services = {
      config,
      log: silent,
      clock: () => routes.#parts.clock(),
      random: (bytes) => routes.#parts.random(bytes),
      get db() {
        return routes.#parts.db;
      },
      get bus() {
        return routes.#parts.bus;
      },
      get mail() {
        return routes.#parts.mail;
      },
      get jobs() {
        return routes.#parts.jobs;
      },
      get limits() {
        return routes.#parts.limits;
      },
      get engines() {
        return routes.#parts.engines;
      },
    };
    app.decorateRequest('caller', null);
    app.setErrorHandler(answerProblem);
    app.setNotFoundHandler(() => {
      throw new ProblemError({ code: 'not-found' });
    });
    await app.register(async (api) => {
      const timers: Timers = {
        after: (ms, act) => routes.#process?.timers.after(ms, act) ?? (() => undefined),
      };
      layApi(api, parts, timers);
      await apiRoutes(api, parts, () => false);
    });
    await app.ready();
    return routes;
  }

  serve(process: Serving): void {
    this.#process = process;
  }

  async answer({ method, address, headers, body }: Asked): Promise<Answered> {
    const answer = await this.#app.inject({
      method: method as 'GET',
      url: address,
      headers: { ...headers },
      ...(body === null ? {} : { payload: body }),
    });
    const all = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
    return {
      status: answer.statusCode,
      headers: Object.fromEntries(all) as Record<string, string>,
      body: answer.body,
    };
  }
}
