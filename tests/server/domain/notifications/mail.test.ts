import { expect } from 'chai';
import { notify } from '#server/domain/notifications/notify.ts';
import type { MessageId } from '#server/domain/notifications/message-id.ts';
import { Town } from '../../publishing/town.ts';
import type { Name } from '../../publishing/town.ts';

const MINUTE_MS = 60_000;

describe('[N2] mail of notifications', function () {
  this.timeout(120_000);
  let town: Town;
  before(async () => {
    town = await Town.found();
  });
  after(() => town.stop());
  beforeEach(async () => {
    await town.live(2 * MINUTE_MS);
    town.letters.length = 0;
  });

  const inTown = <T>(work: (context: Parameters<typeof notify>[0]) => Promise<T>): Promise<T> => {
    const { parts: services } = town.server;
    return services.db.write({ at: services.clock(), by: null, changes: [] }, (write) =>
      work({ services, write }),
    );
  };
  const tell = (who: Name, id: MessageId, projectName: string) =>
    inTown((context) =>
      notify(context, town.people[who], {
        id,
        organization: town.organization,
        values: { projectName },
        linkUrl: '/projects/own',
      }),
    );
  const change = (who: Name, fields: object) =>
    inTown(({ write }) => write.change('user', town.people[who], fields));
  const mailed = () =>
    town.letters.map(({ template, language, files = [] }) => [template, language, files.length]);

  it('brings after a minute what was not read, several in one, in their language, each once [R215]', async () => {
    await change('member', { locale: 'fr-FR' });
    await tell('member', 'projectCreatedSuccessfully', 'Harvest');
    await town.live(MINUTE_MS / 2);
    await tell('member', 'projectCreatedSuccessfully', 'Lantern');
    expect(mailed()).to.deep.equal([]);
    await town.live(2 * MINUTE_MS);
    expect(mailed()).to.deep.equal([['notification', 'fr-FR', 2]]);
    const [mail] = town.letters;
    expect(mail?.files?.map(({ url }) => url)).to.deep.equal(
      Array(2).fill(`${town.server.url}/projects/own`),
    );
    expect(mail?.values).to.include({
      link: `${town.server.url}/users/${town.people.member}/settings`,
    });
    await town.live(10 * MINUTE_MS);
    expect(town.letters).to.have.length(1);
  });

  it('does not bring what was read before, nor anything to who wants no mail [R146, R215]', async () => {
    await tell('author', 'projectCreatedSuccessfully', 'Harvest');
    const [told] = (await town.told('author')).toReversed();
    const at = new Date(town.server.parts.clock()).toISOString();
    await inTown(({ write }) => write.change('notification', told?.id ?? '', { dateRead: at }));
    await change('owner', { emailNotification: false });
    await tell('owner', 'projectCreatedSuccessfully', 'Harvest');
    await town.live(2 * MINUTE_MS);
    expect(mailed()).to.deep.equal([]);
  });

  it('does not bring kinds that the person has silenced, before or since [R146]', async () => {
    await change('author', { silencedMails: ['projects'] });
    await tell('author', 'projectCreatedSuccessfully', 'Harvest');
    await tell('author', 'membershipInviteRedeemed', 'Harvest');
    await town.live(2 * MINUTE_MS);
    expect(mailed()).to.deep.equal([['notification', 'en-US', 1]]);
    expect(await town.told('author')).to.satisfy((told: readonly { messageId: string | null }[]) =>
      told.some(({ messageId }) => messageId === 'projectCreatedSuccessfully'),
    );

    town.letters.length = 0;
    await tell('author', 'membershipInviteRedeemed', 'Harvest');
    await change('author', { silencedMails: ['members'] });
    await town.live(2 * MINUTE_MS);
    expect(mailed()).to.deep.equal([]);
    await tell('author', 'projectCreatedSuccessfully', 'Harvest');
    await town.live(2 * MINUTE_MS);
    expect(mailed()).to.deep.equal([['notification', 'en-US', 1]]);
    await change('author', { silencedMails: [] });
  });

  it('tells admins of a failure at once, and others after their minute', async () => {
    for (const who of ['admin', 'author'] as const)
      await tell(who, 'projectFailedUnableToCreate', 'Harvest');
    await town.server.parts.jobs.untilIdle();
    const to = () => town.letters.map((mail) => mail.to.split('@')[0]);
    expect(to()).to.deep.equal(['admin']);
    await town.live(2 * MINUTE_MS);
    expect(to()).to.deep.equal(['admin', 'author']);
  });

  it('lets go of what became old before it could be mailed', async () => {
    await tell('author', 'projectCreatedSuccessfully', 'Harvest');
    town.pass(181 * MINUTE_MS);
    await town.server.parts.jobs.untilIdle();
    expect(mailed()).to.deep.equal([]);
  });
});
