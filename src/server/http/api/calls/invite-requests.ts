import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '#base/id.ts';
import type { DataDocument } from '#protocol/document.ts';
import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { paths } from '#protocol/paths.ts';
import { invalid } from '#protocol/problem.ts';
import { normalise } from '#rules/valid/index.ts';
import { brokenValue } from '#rules/valid/value.ts';
import { attributesOf } from '#schema/index.ts';
import type { Of } from '#schema/index.ts';
import { addressOf } from '../../count-requests.ts';
import { translate } from '#text/say.ts';
import type { Services } from '../../../domain/services.ts';
import { objectAt, parseRecord, refuse } from '../../../domain/writes/document.ts';
import type { StatedRecord } from '../../../domain/writes/document.ts';

const TYPE = 'organizationInviteRequest';

interface InviteRequest {
  readonly name: string;
  readonly orgAdminEmail: string;
  readonly websiteUrl: string;
}

/** `POST /api/organization-invite-requests`: someone without an account asks for an organization. */
export function inviteRequestRoutes(app: FastifyInstance, services: Services): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<DataDocument> => {
    await services.db.transact((tx) =>
      services.limits.require(tx, 'accessRequests', addressOf(request)),
    );
    const record = parseRecord(objectAt(request.body, '').data, '/data', TYPE);
    const inviteRequest = valid(record, new Date(services.clock()).toISOString());
    await notifySuperAdmins(services, inviteRequest);
    request.log.info({ organization: inviteRequest.name }, 'Access was requested');

    void reply.code(201);
    const id = record.id ?? newId(services.clock, services.random);
    return {
      jsonapi: { version: '1.1' },
      data: { type: wireTypeOf(TYPE), id, attributes: { ...inviteRequest } },
    };
  };
  app.post(paths.inviteRequests, { config: { access: 'public' } }, answer);
}

/** @throws ProblemError 422 with everything that is wrong */
function valid({ stated }: StatedRecord, at: string): InviteRequest {
  const fields = normalise(TYPE, stated.fields, at);
  const broken = attributesOf(TYPE).flatMap(([name, attribute]) => {
    const found = brokenValue(name, attribute, fields[name] ?? null);
    if (found === null) return [];
    const pointer = stated.pointers[name] ?? `/data/attributes/${wireFieldOf(TYPE, name)}`;
    return [invalid(pointer, found.rule, found.meta)];
  });
  refuse([...stated.problems, ...broken]);
  const { name, orgAdminEmail, websiteUrl } = fields as unknown as InviteRequest;
  return { name, orgAdminEmail, websiteUrl };
}

/**
 * Notifies each by a notification and by mail; before the first of them has signed in, by a mail to
 * `ADMIN_EMAIL`. A mail that is not accepted is logged; the request is not lost.
 */
async function notifySuperAdmins(services: Services, inviteRequest: InviteRequest): Promise<void> {
  const { db, clock, random, config, log, mail } = services;
  const linkUrl = `/admin?${new URLSearchParams({ ...inviteRequest }).toString()}`;

  const superAdmins = await db.write({ at: clock(), by: null, changes: [] }, async (write) => {
    const users: Of<'user'>[] = [];
    for (const { user } of await write.all('userRole', { roleName: 'SuperAdmin' })) {
      const superAdmin = await write.one('user', user);
      if (superAdmin === null || superAdmin.isLocked) continue;
      const messageValues = { orgName: inviteRequest.name, email: inviteRequest.orgAdminEmail };
      await write.insert('notification', {
        id: newId(clock, random),
        user,
        messageId: 'organizationAccessRequested',
        messageValues,
        message: translate(
          superAdmin.locale ?? 'en-US',
          'notifications.organizationAccessRequested',
          messageValues,
        ),
        linkUrl,
        sendEmail: true,
        dateEmailSent: new Date(clock()).toISOString(),
      });
      users.push(superAdmin);
    }
    return users;
  });

  const { name, orgAdminEmail, websiteUrl } = inviteRequest;
  const values = { name, email: orgAdminEmail, websiteUrl, link: `${config.publicUrl}${linkUrl}` };
  const first = superAdmins.length === 0 ? [{ email: config.adminEmail, locale: null }] : [];
  for (const { email, locale } of [...superAdmins, ...first]) {
    if (email === null) continue;
    const letter = { to: email, language: locale ?? 'en-US', values } as const;
    await mail
      .send({ ...letter, template: 'organizationInviteRequest' })
      .catch((error: unknown) => {
        log.error({ err: error }, 'A mail about a request for access was not sent');
      });
  }
}
