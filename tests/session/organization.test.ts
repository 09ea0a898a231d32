import { expect } from 'chai';
import { createOrganizationChoice } from '#session/organization.ts';
import { USER_ID, World } from './world.ts';

describe('the organization in view', () => {
  it('is all of them until one is chosen, and again with the empty choice [R51, R249]', () => {
    const world = new World();
    const choice = createOrganizationChoice(world.tab());
    expect(choice.current()).to.equal(null);
    choice.choose(USER_ID);
    expect(choice.current()).to.equal(USER_ID);
    choice.choose(null);
    expect(choice.current()).to.equal(null);
    expect(world.storage.getItem('slipway.organization')).to.equal('');
  });

  it('survives a reload, and follows in every tab [R219, R222, R424]', () => {
    const world = new World();
    const [one, two] = [world.tab(), world.tab()].map(createOrganizationChoice);
    const seen: (string | null | undefined)[] = [];
    const end = two?.subscribe(() => seen.push(two.current()));
    one?.subscribe(() => seen.push(one.current()));
    one?.choose(USER_ID);
    one?.choose(USER_ID);
    expect(seen).to.deep.equal([USER_ID, USER_ID]);
    expect(createOrganizationChoice(world.tab()).current()).to.equal(USER_ID);

    end?.();
    one?.choose(null);
    expect(seen).to.have.length(3);
  });

  it('is all of them when something else was stored [R51]', () => {
    const world = new World();
    world.storage.setItem('slipway.organization', '<script>');
    expect(createOrganizationChoice(world.tab()).current()).to.equal(null);
  });
});
