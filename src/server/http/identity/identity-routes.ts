import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { ProblemError } from '#protocol/problem.ts';
import { countAddress, countingBadTokens } from '../count-requests.ts';
import { languageOf, translate } from '#text/say.ts';
import type { Services } from '../../domain/services.ts';
import { accountById } from '../../domain/accounts/accounts.ts';
import { bearerOf } from '../../domain/accounts/caller.ts';
import { changeAddressPage, confirmAddressPage } from './account/address-pages.ts';
import { changePasswordPage } from './account/change-password.ts';
import { deleteAccountPage } from './account/delete-account-page.ts';
import { devicesPage } from './account/devices-page.ts';
import { formFieldsIn } from './form-fields.ts';
import { keysOf } from '../../domain/accounts/keys.ts';
import { mailLink } from './account-mail.ts';
import { mailedLinkPage } from './mailed-link.ts';
import { html } from '#base/html.ts';
import { pageOf, policyFor, STYLESHEET } from './page.ts';
import { pagesCss } from './pages-css.ts';
import { forgotPage, resetPage } from './password-pages.ts';
import { isLockedOut, signInOf } from '../../domain/accounts/person.ts';
import { oidcPath, openProvider } from './provider.ts';
import { secondFactorPage } from './second-factor/second-factor-page.ts';
import { signInPage } from './sign-in-page.ts';
import type { IdentityContext } from './identity-context.ts';
import { signUpPage, verifyPage } from './sign-up-page.ts';
import { readToken, refuseEnded } from '../../domain/accounts/token.ts';

/** Adds everything under `/oidc`; nothing when an outside issuer signs people in. */
export async function identityRoutes(app: FastifyInstance, services: Services): Promise<void> {
  if (!services.config.auth.isBundled) return;
  countVisits(app, services);
  const keys = await keysOf(services.db, services.random);
  const provider = openProvider(services, keys);

  await app.register(async (scope) => {
    await ownPages(scope, { services, provider, secret: keys.cookies[0] });
  });
  await app.register((scope, _options, done) => {
    mount(scope, services, provider);
    done();
  });
}

/** Counts requests without a token; beyond the limit a page says so to people (wire 15.2). */
function countVisits(app: FastifyInstance, services: Services): void {
  app.addHook('onRequest', async (request, reply) => {
    const { url } = request.routeOptions;
    if (url === STYLESHEET || url === VERIFICATION) return;
    try {
      countAddress(services, request);
    } catch (error) {
      const isPage = request.headers.accept?.includes('text/html') === true;
      if (!(error instanceof ProblemError) || !isPage) throw error;
      await reply
        .code(429)
        .headers(error.headers)
        .header('content-type', 'text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('content-security-policy', policyFor(services.config.publicUrl))
        .send(busyPage(request, Number(error.headers['Retry-After'])));
    }
  });
}

function busyPage({ headers }: FastifyRequest, seconds: number): string {
  const language = languageOf(headers['accept-language']);
  const minutes = Math.ceil(seconds / 60);
  const body = html`<p>${translate(language, 'identity.error.tries', { minutes })}</p>`;
  return pageOf({ language, title: 'identity.failed.title', body, address: null });
}

type Answer = (
  identity: IdentityContext,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<void>;

const VERIFICATION = '/oidc/verification';

const pages: Readonly<Record<string, Answer>> = {
  [oidcPath.interaction(':uid')]: signInPage,
  '/oidc/sign-up': signUpPage,
  '/oidc/verify': verifyPage,
  '/oidc/forgot': forgotPage,
  '/oidc/reset': resetPage,
  '/oidc/sign-in': mailedLinkPage,
  '/oidc/password': changePasswordPage,
  '/oidc/address': changeAddressPage,
  '/oidc/confirm-address': confirmAddressPage,
  '/oidc/devices': devicesPage,
  '/oidc/second-factor': secondFactorPage,
  '/oidc/delete-account': deleteAccountPage,
};

const LONGEST_FORM_BYTES = 16_384;

async function ownPages(scope: FastifyInstance, identity: IdentityContext): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: LONGEST_FORM_BYTES },
    (_request, body, done) => {
      done(null, formFieldsIn(body.toString()));
    },
  );

  for (const [url, answer] of Object.entries(pages))
    scope.route({
      method: ['GET', 'POST'],
      url,
      handler: async (request, reply) => {
        await answer(identity, request, reply);
        return reply;
      },
    });

  scope.get(STYLESHEET, (_request, reply) =>
    reply
      .header('content-type', 'text/css; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(pagesCss),
  );
  await verificationRoute(scope, identity.services);
}

/** `POST /oidc/verification`: the mail to confirm the address, once more (wire 2). */
async function verificationRoute(scope: FastifyInstance, services: Services): Promise<void> {
  await scope.register((inner, _options, done) => {
    // A body, if one is sent, is ignored.
    inner.removeAllContentTypeParsers();
    inner.addContentTypeParser('*', (_request, payload, parsed) => {
      payload.resume();
      parsed(null);
    });
    inner.post(VERIFICATION, async (request, reply) => {
      const { account, sub } = await countingBadTokens(services, request, async () => {
        const claims = await readToken(services, bearerOf(request));
        services.limits.requireRate('requestsOfUser', claims.sub);
        const { known, isLocked, signIn } = await services.db.transact(async (tx) => ({
          known: await accountById(tx, claims.sub),
          isLocked: await isLockedOut(tx, claims.sub),
          signIn: await signInOf(tx, services.config, claims),
        }));
        refuseEnded(claims, signIn.era, signIn.isGranted);
        if (isLocked) throw new ProblemError({ code: 'user-locked' });
        return { account: known, sub: claims.sub };
      });
      await services.db.transact((tx) => services.limits.require(tx, 'verificationMails', sub));

      if (account?.isVerified === false) mailLink(services, account, 'verify');
      return reply.code(204).send();
    });
    done();
  });
}

/**
 * Hands every other address under `/oidc` to the provider, which reads the body itself. Addresses
 * that it makes are those of `PUBLIC_URL`, whatever the request's host says.
 */
function mount(scope: FastifyInstance, { config }: Services, provider: Provider): void {
  const answer = provider.callback();
  const outside = new URL(config.publicUrl);

  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => {
    done(null);
  });
  scope.route({
    method: ['GET', 'POST'],
    url: `${oidcPath.base}/*`,
    handler: async (request, reply) => {
      const { raw } = request;
      const inside = { originalUrl: raw.url, url: raw.url?.slice(oidcPath.base.length) };
      Object.assign(raw, inside);
      Object.assign(raw.headers, {
        'x-forwarded-host': outside.host,
        'x-forwarded-proto': outside.protocol.slice(0, -1),
        // What the provider is told of the address is what our own settings of proxies make of it.
        'x-forwarded-for': request.ip,
      });
      void reply
        .header('content-security-policy', `${policyFor(config.publicUrl)}; script-src 'self'`)
        .hijack();
      sameOriginOnly(reply);
      await answer(raw, reply.raw);
    },
  });
}

/** Sets what fastify would have sent, and keeps the provider from inviting other origins (wire 15.1). */
function sameOriginOnly(reply: FastifyReply): void {
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value);

  const setHeader = raw.setHeader.bind(raw);
  raw.setHeader = (name, value) =>
    name.toLowerCase().startsWith('access-control-') ? raw : setHeader(name, value);
}
