import { randomFillSync } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '#server/kernel/config.ts';
import { renderMail } from '#server/kernel/mail/mail-templates.ts';
import { openMailer } from '#server/kernel/mail/mailer.ts';
import { freshFolder } from '../../../support/server.ts';

const link = 'https://slipway.test/x?a=1&b=2';

describe('[domain 10.3] mail', () => {
  it('is written to a file where there is no mail server, to one reader', async () => {
    const folder = freshFolder();
    const mailer = openMailer(
      readConfig({ DATA_DIR: folder }),
      () => Date.UTC(2026, 0, 1),
      (bytes) => bytes,
    );
    await mailer.send({
      to: 'ana@hill.test',
      language: 'es-419',
      template: 'passwordReset',
      values: { link },
    });
    mailer.close();

    const [name = ''] = readdirSync(join(folder, 'mail'));
    const mail = readFileSync(join(folder, 'mail', name), 'utf8');
    expect(name).to.match(/\.eml$/);
    expect(mail).to.match(/^To: ana@hill\.test\r?$/m);
    expect(mail).to.match(/^From: Slipway <slipway@localhost>\r?$/m);
    expect(mail).to.match(/^Date: Thu, 01 Jan 2026 00:00:00 \+0000\r?$/m);
    expect(mail.replaceAll('=\r\n', '')).to.include('contrase=C3=B1a nueva para su cuenta');
    rmSync(folder, { recursive: true });
  });

  it('is removed from the disk a day after it was written, and no other file is [F16]', async () => {
    const folder = freshFolder();
    let now = Date.UTC(2026, 0, 1);
    const mailer = openMailer(
      readConfig({ DATA_DIR: folder }),
      () => now,
      (bytes) => randomFillSync(bytes),
    );
    const mail = {
      to: 'ana@hill.test',
      language: 'en-US',
      template: 'passwordReset',
      values: { link },
    } as const;
    const left = () => readdirSync(join(folder, 'mail')).sort();
    await mailer.send(mail);
    writeFileSync(join(folder, 'mail', 'notes.txt'), '');
    const [first = ''] = left();
    now += 86_399_999;
    await mailer.send(mail);
    expect(left()).to.have.length(3).and.include(first);
    now += 1;
    await mailer.send(mail);
    expect(left()).to.have.length(3).and.not.include(first);
    now += 86_400_000;
    await mailer.forget();
    expect(left()).to.deep.equal(['notes.txt']);
    mailer.close();
    rmSync(folder, { recursive: true });
  });

  it('escapes every value in HTML, and none in plain text', () => {
    const values = {
      name: '<b>Hill</b> & "Sons"',
      email: 'ana@hill.test',
      websiteUrl: 'https://hill.test/?a=1&b=2',
      link,
    };
    const mail = {
      to: 'x@y.test',
      language: 'en-US',
      template: 'organizationInviteRequest',
      values,
    } as const;
    const { html, text, subject } = renderMail(mail);
    expect(html)
      .to.include('&lt;b&gt;Hill&lt;/b&gt; &amp; &quot;Sons&quot;')
      .and.not.include('<b>');
    expect(html).to.include('href="https://slipway.test/x?a=1&amp;b=2"');
    expect(text).to.include('<b>Hill</b> & "Sons"').and.include(link);
    expect(subject).to.equal('<b>Hill</b> & "Sons" asks for access to Slipway');
  });

  it('takes what looks like a template in a value as text, and puts nothing in for it', () => {
    const name = '{{link}} {{ email }} ${link} <%= link %> $t(common.brand) %s';
    const values = { name, email: 'a@b.test', websiteUrl: 'https://hill.test', link };
    const mail = { to: 'x@y.test', template: 'organizationInviteRequest', values } as const;
    for (const language of ['en-US', 'es-419', 'fr-FR'] as const) {
      const { subject, text, html } = renderMail({ ...mail, language });
      expect(subject, language).to.include(name);
      expect(text, language).to.include(name);
      expect(html, language).to.include(name.replace('<', '&lt;').replace('>', '&gt;'));
    }
  });

  it('gets no reader, header or part more by line breaks in a value or an address', async () => {
    const folder = freshFolder();
    const mailer = openMailer(readConfig({ DATA_DIR: folder }), Date.now, (bytes) =>
      randomFillSync(bytes),
    );
    const more = '\r\nBcc: eve@evil.test\r\nX-Evil: 1\r\n\r\n<b>Hello</b>\u2028Cc: eve@evil.test';
    await mailer.send({
      to: `ana@hill.test${more}`,
      replyTo: `bo@hill.test${more}`,
      language: 'en-US',
      template: 'organizationInviteRequest',
      values: { name: `Hill${more}`, email: `a@b.test${more}`, websiteUrl: 'https://b.test', link },
    });
    mailer.close();
    const [name = ''] = readdirSync(join(folder, 'mail'));
    const [head = ''] = readFileSync(join(folder, 'mail', name), 'utf8').split('\r\n\r\n');
    const headers = head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => line.split(':')[0] ?? '');
    expect(headers).to.have.members([
      'From',
      'To',
      'Reply-To',
      'Subject',
      'Message-ID',
      'Date',
      'MIME-Version',
      'Content-Type',
    ]);
    // The text in the quotes is the name of one mailbox.
    const unquoted = head.replace(/\r\n[ \t]+/g, ' ').replace(/"[^"]*"/g, 'quoted');
    expect(unquoted).to.match(/^To: <?quoted@evil\.test>?$/m);
    expect(unquoted).to.match(/^Reply-To: <?quoted@evil\.test>?$/m);
    rmSync(folder, { recursive: true });
  });

  it('says in each language until when an invitation works', () => {
    const values = {
      organization: 'Hill',
      inviter: 'Ana',
      link,
      until: '2026-03-01T12:00:00.000Z',
    };
    const textIn = (language: 'en-US' | 'es-419' | 'fr-FR') =>
      renderMail({ to: 'x@y.test', language, template: 'membershipInvite', values }).text;
    expect(textIn('en-US')).to.include('March 1, 2026');
    expect(textIn('es-419')).to.include('1 de marzo de 2026');
    expect(textIn('fr-FR')).to.include('1 mars 2026');
  });
});
