import type { FastifyInstance } from 'fastify';
import { isUuid } from '#base/id.ts';
import { ProblemError } from '#protocol/problem.ts';
import { secondFactorPath } from '#protocol/second-factor.ts';
import type { SecondFactorState } from '#protocol/second-factor.ts';
import { mayResetSecondFactor, maySeeSecondFactor } from '#rules/user.ts';
import type { Of } from '#schema/index.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import { accountById } from '../../../domain/accounts/accounts.ts';
import { resetSecondFactor, secondFactorOf } from '../../../domain/accounts/second-factor.ts';
import type { Services } from '../../../domain/services.ts';
import type { ChangeContext } from '../../../domain/writes/change-context.ts';
import { mailSecondFactor } from '../../identity/account-mail.ts';
import { idIn, parametersIn, routeHandler } from '../api-request.ts';
import type { ApiRequest } from '../api-request.ts';
import { handleCall } from '../handle-call.ts';
import { parseQuery } from '../query/parse.ts';
import { requireVisible } from '../reading.ts';

const OFF: SecondFactorState = { on: false, since: null, recoveryCodes: 0, passkeys: 0 };

/** Tells of the second factor of a person, and switches it off for who lost it (wire 11.12). */
export function secondFactorRoutes(app: FastifyInstance, services: Services): void {
  const url = secondFactorPath(':id');
  const config = { media: 'json' } as const;
  app.route({ method: 'GET', url, config, handler: routeHandler(services, state) });
  app.route({
    method: 'POST',
    url: `${url}/reset`,
    config,
    handler: routeHandler(services, reset),
  });
}

async function state(apiRequest: ApiRequest): Promise<SecondFactorState> {
  const { services, caller, request } = apiRequest;
  parseQuery('user', parametersIn(request), 'nothing');
  const id = idIn(request);
  return services.db.read(async (tx) => {
    const account = await accountOf(tx, services, caller.viewer, id);
    if (!maySeeSecondFactor(caller.viewer, { id })) throw new ProblemError({ code: 'forbidden' });
    const factor = account === null ? null : await secondFactorOf(tx, account);
    if (factor === null) return OFF;
    const { since, codesLeft: recoveryCodes, passkeys } = factor;
    return { on: true, since, recoveryCodes, passkeys };
  });
}

async function reset(apiRequest: ApiRequest): Promise<SecondFactorState> {
  parseQuery('user', parametersIn(apiRequest.request), 'nothing');
  const id = idIn(apiRequest.request);
  return handleCall(apiRequest, async (context) => {
    const account = await accountOf(context.write, context.services, context.viewer, id);
    if (!mayResetSecondFactor(context.viewer, { id }))
      throw new ProblemError({ code: 'forbidden' });
    if (account !== null) await switchOff(context, id, account);
    return OFF;
  });
}

async function switchOff(
  { services, write }: ChangeContext,
  user: string,
  accountId: string,
): Promise<void> {
  const account = await accountById(write, accountId);
  if (account === null || !(await resetSecondFactor(write, accountId, user))) return;
  write.afterCommit(() => {
    mailSecondFactor(services, account, 'secondFactorReset');
  });
}

/**
 * Returns the account of a person; null: they have none, because they never signed in.
 *
 * @throws ProblemError 404 when the caller does not see the person, or another issuer signs in
 */
async function accountOf(
  tx: DatabaseTransaction,
  { config }: Services,
  viewer: Viewer,
  id: string,
): Promise<string | null> {
  const user = (await requireVisible(tx, viewer, 'user', id)) as Of<'user'>;
  if (!config.auth.isBundled) throw new ProblemError({ code: 'not-found' });
  return isUuid(user.authId) ? user.authId : null;
}
