import { expect } from 'chai';
import { generate } from 'lean-qr';
import { qrCodeOf } from '#base/qr-code.ts';

describe('a QR code', () => {
  const text = 'https://slipway.test/downloads/apk/org.lakeside.harvest/published';

  it('is drawn square by square as its library makes it, with a margin of four', () => {
    const { sidePx, path } = qrCodeOf(text);
    const code = generate(text);
    expect(sidePx).to.equal(code.size + 8);
    const dark = new Set<string>();
    for (const [, x = '', y = '', width = ''] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g))
      for (let at = 0; at < Number(width); at += 1) dark.add(`${Number(x) + at} ${y}`);
    for (let y = 0; y < sidePx; y += 1)
      for (let x = 0; x < sidePx; x += 1)
        expect(dark.has(`${x} ${y}`), `${x} ${y}`).to.equal(code.get(x - 4, y - 4));
  });

  it('is of another text another one', () => {
    expect(qrCodeOf(text).path).not.to.equal(qrCodeOf(`${text}?`).path);
  });
});
