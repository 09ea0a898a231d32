import { expect } from 'chai';
import { inviteToOrganization } from '#data/actions/invitations.ts';
import { ProblemError } from '#protocol/problem.ts';
import { AtWork } from '../../support/at-work.ts';

describe('an invitation to an organization', () => {
  let work: AtWork;

  beforeEach(async () => {
    work = await AtWork.begin();
  });
  afterEach(() => work.data.close());

  const invite = (email: string): Promise<string> =>
    inviteToOrganization(work.data, { email, organization: work.world.organization });

  it('is a request that waits for the connection, and can be taken back until it is sent [R368]', async () => {
    await work.offline();
    const first = await invite('rosa@example.org');
    expect(work.changeOf(first)).to.deep.include({
      isRequest: true,
      canUndo: true,
      says: ['changes.invite', { email: 'rosa@example.org', organization: 'Lakeside' }],
    });
    await work.data.changes.undo(work.changeOf(first).id);
    const second = await invite('ines@example.org');
    await work.online();
    await work.saved();
    expect(work.server.get('organizationMembershipInvite', first)).to.equal(undefined);
    const sent = work.server.get('organizationMembershipInvite', second);
    expect(sent?.attributes).to.include({ email: 'ines@example.org' });
    expect(work.changeOf(second)).to.include({ state: 'done', canUndo: false });
  });

  it('to what is no address is refused before it is kept [R281]', async () => {
    const error: unknown = await invite('rosa').catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ProblemError);
    expect(work.changes.waiting).to.equal(0);
  });
});
