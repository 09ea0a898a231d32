import { expect } from 'chai';
import { mirrorOf, resourceOf, toManysOf, toOnesOf, typeNames } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';

/** To-ones that the wire names without a mirror: of calls and commands, and who added a member (wire 16.2). */
const WITHOUT_MIRROR = [
  'organizationMembership.addedBy',
  'productAction.product',
  'productActionRun.product',
  'productActionRun.build',
  'productActionRun.insteadOf',
  'taskCommand.userTask',
];

function targetAt(type: TypeName, path: string): TypeName {
  const [first = '', ...rest] = path.split('.');
  const to =
    toOnesOf(type).find(([name]) => name === first)?.[1].to ??
    toManysOf(type).find(([name]) => name === first)?.[1].of;
  if (to === undefined) throw new Error(`${type} has no relationship ${first}`);
  return rest.length === 0 ? to : targetAt(to, rest.join('.'));
}

describe('the schema', () => {
  for (const type of typeNames) {
    it(`mirrors every relation of ${type}`, () => {
      const alone = toOnesOf(type)
        .map(([field]) => field)
        .filter((field) => mirrorOf(type, field) === null);

      expect(alone.map((field) => `${type}.${field}`)).to.deep.equal(
        WITHOUT_MIRROR.filter((name) => name.startsWith(`${type}.`)),
      );
      for (const [field, { of, inverse }] of toManysOf(type)) {
        expect(mirrorOf(of, inverse), `${type}.${field}`).to.equal(field);
      }
    });

    it(`leads from ${type} to its organization and its parents`, () => {
      const { belongsTo, below, unique } = resourceOf(type);

      if (belongsTo === '') expect(type).to.equal('organization');
      else if (belongsTo !== null) expect(targetAt(type, belongsTo)).to.equal('organization');
      for (const field of [...below, ...(unique ?? [])]) {
        expect(typeNames).to.include(targetAt(type, field));
      }
    });
  }

  it('lists parents before what is below them', () => {
    for (const type of typeNames) {
      for (const parent of resourceOf(type).below.map((field) => targetAt(type, field))) {
        expect(typeNames.indexOf(parent), `${parent} before ${type}`).to.be.lessThan(
          typeNames.indexOf(type),
        );
      }
    }
  });
});
