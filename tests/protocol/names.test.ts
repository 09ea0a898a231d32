import { expect } from 'chai';
import { fieldOfWire, typeOfWire, wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { resourceOf, typeNames } from '#schema/index.ts';

describe('names on the wire', () => {
  for (const type of typeNames) {
    it(`lead back to ${type} and each of its fields`, () => {
      expect(typeOfWire(wireTypeOf(type))).to.equal(type);
      for (const field of Object.keys(resourceOf(type).fields)) {
        const name = wireFieldOf(type, field);
        expect(fieldOfWire(type, name), name).to.equal(field);
      }
    });
  }

  it('are dasherized and plural', () => {
    expect(wireTypeOf('systemStatus')).to.equal('system-statuses');
    expect(wireTypeOf('organizationMembershipInvite')).to.equal('organization-membership-invites');
    expect(wireFieldOf('organization', 'publicByDefault')).to.equal('public-by-default');
    expect(wireFieldOf('organizationInviteRequest', 'orgAdminEmail')).to.equal('orgAdminEmail');
    expect(fieldOfWire('organizationInviteRequest', 'org-admin-email')).to.equal('orgAdminEmail');
  });

  it('are known in no other spelling', () => {
    expect(fieldOfWire('organization', 'publicByDefault')).to.equal(null);
    expect(fieldOfWire('organization', 'constructor')).to.equal(null);
    expect(typeOfWire('project')).to.equal(null);
    expect(typeOfWire('__proto__')).to.equal(null);
  });
});
