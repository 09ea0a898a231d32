import { expect } from 'chai';
import { isSameField } from '#rules/record/equal.ts';

describe('[wire 7.4] two values are the same', () => {
  const same = (field: string, a: unknown, b: unknown) => isSameField('project', field, a, b);

  it('as moments, however they are written', () => {
    expect(same('dateArchived', '2026-01-31 09:30:00', '2026-01-31T10:30:00+01:00')).to.equal(true);
    expect(same('dateArchived', '2026-01-31 09:30:00', '2026-01-31 09:30:01')).to.equal(false);
  });

  it('as JSON, whatever the order of keys; other texts exactly', () => {
    const json = (a: string, b: string) => isSameField('product', 'properties', a, b);

    expect(json('{"a":1,"b":{"c":2,"d":3}}', '{ "b": {"d":3,"c":2}, "a":1 }')).to.equal(true);
    expect(json('{"a":[1,2]}', '{"a":[2,1]}')).to.equal(false);
    expect(json('{', '{')).to.equal(true);
    expect(json('{', '[')).to.equal(false);
    expect(same('description', 'a', 'a ')).to.equal(false);
  });

  it('as lines once trimmed, and as ids in any case', () => {
    expect(same('name', ' Harvest', 'Harvest ')).to.equal(true);
    expect(same('name', 'Harvest', 'harvest')).to.equal(false);
    expect(same('owner', 'ABCDEF', 'abcdef')).to.equal(true);
  });

  it('as sets, where there are several', () => {
    expect(same('products', ['a', 'b'], ['b', 'a'])).to.equal(true);
    expect(same('products', ['a'], ['a', 'b'])).to.equal(false);
  });

  it('never when one of them is nothing and the other is something', () => {
    expect(same('name', null, '')).to.equal(false);
    expect(same('isPublic', null, false)).to.equal(false);
    expect(same('owner', null, null)).to.equal(true);
  });
});
