import { expect } from 'chai';
import { sizeOf } from '#base/file-size.ts';

describe('the size of a file', () => {
  it('is said in words while it is a few bytes, with one or with several of them', () => {
    const few = [1, 203];
    expect(few.map((bytes) => sizeOf(bytes, 'en-US'))).to.deep.equal(['1 byte', '203 bytes']);
    expect(few.map((bytes) => sizeOf(bytes, 'es-419'))).to.deep.equal(['1 byte', '203 bytes']);
    expect(few.map((bytes) => sizeOf(bytes, 'fr-FR'))).to.deep.equal([
      '1\u00a0octet',
      '203\u00a0octets',
    ]);
  });

  it('is said in the largest unit that fits', () => {
    const sizes = [43_000, 4_200_000, 7_000_000_000];
    expect(sizes.map((bytes) => sizeOf(bytes, 'en-US'))).to.deep.equal(['43 kB', '4.2 MB', '7 GB']);
  });

  it('is two dashes where the file is empty or nobody knows', () => {
    expect(sizeOf(0, 'en-US')).to.equal('--');
    expect(sizeOf(null, 'en-US')).to.equal('--');
  });
});
