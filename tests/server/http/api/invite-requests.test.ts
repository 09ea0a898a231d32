import { expect } from 'chai';
import { JSON_API } from '#protocol/document.ts';
import { paths } from '#protocol/paths.ts';
import type { Mail } from '#server/kernel/mail/mail-templates.ts';
import { closeAtTheEnd } from '../../../support/hooks.ts';
import { startServer } from '../../../support/server.ts';
import { START_WITHIN_MS } from './world.ts';

describe('[9.4] a request for an organization', function () {
  this.timeout(START_WITHIN_MS);

  it('reaches ADMIN_EMAIL while nobody administers the installation yet', async () => {
    const server = await startServer({ isFresh: true, env: { ADMIN_EMAIL: 'first@hill.test' } });
    closeAtTheEnd(() => server.stop());
    const mails: Mail[] = [];
    server.parts.mail.send = (mail) => {
      mails.push(mail);
      return Promise.resolve();
    };
    const attributes = {
      name: 'Hill Press',
      'org-admin-email': 'ana@hill.test',
      'website-url': 'https://hill.test',
    };
    const answer = await fetch(`${server.url}${paths.inviteRequests}`, {
      method: 'POST',
      headers: { 'Content-Type': JSON_API },
      body: JSON.stringify({ data: { type: 'organization-invite-requests', attributes } }),
    });
    expect(answer.status).to.equal(201);
    expect(mails.map(({ to, template }) => [to, template])).to.deep.equal([
      ['first@hill.test', 'organizationInviteRequest'],
    ]);
  });
});
