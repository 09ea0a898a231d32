import { expect } from 'chai';
import { isUuid, newId } from '#base/id.ts';

describe('an id', () => {
  const zeros = (bytes: Uint8Array) => bytes;
  const ones = (bytes: Uint8Array) => bytes.fill(255);

  it('is a UUID of version 7 that begins with the time', () => {
    const id = newId(() => 0x0197_c1de_7a4e, ones);

    expect(id).to.equal('0197c1de-7a4e-7fff-bfff-ffffffffffff');
    expect(isUuid(id)).to.equal(true);
  });

  it('made later sorts after one made earlier, whatever chance says', () => {
    const earlier = newId(() => 1_000, ones);
    const later = newId(() => 1_001, zeros);

    expect(earlier < later).to.equal(true);
  });

  it('is not recognised without its hyphens, or as anything but text', () => {
    expect(isUuid('0197c1de7a4e7c109d0c2f6f1b0c9a11')).to.equal(false);
    expect(isUuid(7)).to.equal(false);
  });
});
