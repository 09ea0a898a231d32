import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { withoutSlashAtEnd } from '#base/slash.ts';
import type { EngineCheck } from '#protocol/paths.ts';
import { invalid, ProblemError } from '#protocol/problem.ts';
import { mayAdminister } from '#rules/organization.ts';
import { brokenValue } from '#rules/valid/value.ts';
import { attributesOf } from '#schema/index.ts';
import { openToken } from '../../../domain/builds/engine-token.ts';
import type { EngineFailure } from '#protocol/engine.ts';
import type { EngineAddress } from '../../../domain/builds/client/http-engine.ts';
import type { Services } from '../../../domain/services.ts';
import { routeHandler, idIn, recordQueryIn } from '../api-request.ts';
import type { ApiRequest } from '../api-request.ts';
import { objectAt, refuse } from '../../../domain/writes/document.ts';
import { requireVisible } from '../reading.ts';

const TYPE = 'organization';

/** Tests whether a build engine answers, before anybody stores its address (wire 11.9). */
export function buildEngineRoutes(app: FastifyInstance, services: Services): void {
  const answer = async (apiRequest: ApiRequest): Promise<EngineCheck> => {
    services.limits.requireRate('engineTests', apiRequest.caller.user.id);
    const stored = await storedIn(apiRequest);
    const stated = statedIn(apiRequest);
    const address = addressOf(stored, stated);
    const failure = await (address === null
      ? services.engines.tryDefault()
      : services.engines.tryOut(address));
    return { available: failure === null, reason: failure === null ? null : reasons[failure] };
  };
  app.route({
    method: 'POST',
    url: '/api/organizations/:id/build-engine/check',
    config: { media: 'json' },
    handler: routeHandler(services, answer),
  });
}

/** No id was requested: that the engine does not know something is no usable answer. */
const reasons: Readonly<Record<EngineFailure, EngineCheck['reason']>> = {
  unreachable: 'unreachable',
  refused: 'refused',
  'no-usable-answer': 'no-usable-answer',
  unknown: 'no-usable-answer',
  'address-not-allowed': 'address-not-allowed',
};

interface Stored {
  readonly url: string | null;
  readonly token: string | null;
}

/** @throws ProblemError 403, 404 */
async function storedIn(apiRequest: ApiRequest): Promise<Stored> {
  const { services, caller, request } = apiRequest;
  const id = idIn(request);
  await recordQueryIn(apiRequest, TYPE, 'nothing');
  return services.db.read(async (tx) => {
    await requireVisible(tx, caller.viewer, TYPE, id);
    if (!mayAdminister(caller.viewer, id)) throw new ProblemError({ code: 'forbidden' });
    const [row] = await tx.query(
      sql<Stored>`select build_engine_url as url, build_engine_api_access_token as token
        from organizations left join organization_secrets on organization_id = id
        where id = ${id}`,
    );
    const { url, token } = row ?? { url: null, token: null };
    return { url, token: openToken(services.db.secrets, id, token) };
  });
}

type StatedAddress = Partial<Stored>;

/** Returns what is stated of it; null and blank mean the stored one. @throws ProblemError 422 */
function statedIn({ request }: ApiRequest): StatedAddress {
  const body = objectAt(request.body ?? {}, '');
  const attributes = Object.fromEntries(attributesOf(TYPE));
  const fields = [
    ['url', attributes.buildEngineUrl],
    ['token', attributes.buildEngineApiAccessToken],
  ] as const;
  const stated = fields.flatMap(([name, attribute]) => {
    const value = body[name];
    const text = typeof value === 'string' ? value.trim() : value;
    const isStated = text !== undefined && text !== null && text !== '';
    return isStated && attribute !== undefined ? [{ name, attribute, text }] : [];
  });
  refuse(
    stated.flatMap(({ name, attribute, text }) => {
      const broken = brokenValue(name, attribute, text);
      return broken === null ? [] : [invalid(`/${name}`, broken.rule, broken.meta)];
    }),
  );
  return Object.fromEntries(stated.map(({ name, text }) => [name, text as string]));
}

/**
 * The stored token goes to the stored address only. Null: there is none, and the default one is
 * used.
 */
function addressOf(stored: Stored, stated: StatedAddress): EngineAddress | null {
  const url = stated.url ?? stored.url;
  if (url === null) return null;
  const isStored = stored.url !== null && sameUrl(url, stored.url);
  return { url, token: stated.token ?? (isStored ? stored.token : null) };
}

const sameUrl = (a: string, b: string): boolean =>
  new URL(withoutSlashAtEnd(a)).href === new URL(withoutSlashAtEnd(b)).href;
