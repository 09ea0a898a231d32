import { expect } from 'chai';
import { readArtifacts } from '#server/domain/builds/artifacts.ts';

const ADDRESS = 'https://engine.test/package_name.txt';

/** The package name of a build whose engine says `text` where that is asked for. */
async function packageNameOf(text: string): Promise<string | null> {
  const engine = { head: () => Promise.resolve(null), text: () => Promise.resolve(text) };
  return (await readArtifacts(engine, { package_name: ADDRESS })).packageName;
}

describe('the package name that an engine gives with a build', () => {
  it('is its first line', async () => {
    for (const name of ['org.example.app', 'org.Example_2.app', 'org.example.ios-app'])
      expect(await packageNameOf(`\ufeff${name}\n# of this app`)).to.equal(name);
    expect(await packageNameOf(' \n')).to.equal(null);
  });

  it('is none where it only looks like the name of another’s app [F3]', async () => {
    for (const name of [
      'org.example.app\u200b',
      'org.ex\u0430mple.app',
      'org.example.\u202eppa',
      'app.slip\u00adway.p1',
      'org.example/app',
      'org example app',
    ])
      expect(await packageNameOf(name), JSON.stringify(name)).to.equal(null);
  });
});
