import { expect } from 'chai';
import { createSharedCalls } from '#base/shared-calls.ts';

describe('calls that are shared', () => {
  const owner = {};
  let done: string[] = [];
  /** A piece of work that goes on until `end` is called. */
  const piece = (name: string) => {
    let end: (error?: Error) => void = () => undefined;
    const ended = new Promise<void>((resolve, reject) => {
      end = (error) => {
        if (error === undefined) resolve();
        else reject(error);
      };
    });
    const work = async () => {
      done.push(name);
      await ended;
      return name;
    };
    return { work, end };
  };

  beforeEach(() => {
    done = [];
  });

  it('are made once for all who ask meanwhile, and anew after that', async () => {
    const share = createSharedCalls<string>();
    const [first, second, later] = [piece('first'), piece('second'), piece('later')];
    const asked = [share(owner, 'a', first.work), share(owner, 'a', second.work)];
    first.end();
    expect(await Promise.all(asked)).to.deep.equal(['first', 'first']);
    later.end();
    expect(await share(owner, 'a', later.work)).to.equal('later');
    expect(done).to.deep.equal(['first', 'later']);
  });

  it('fail for all who ask meanwhile, and not for who asks after that', async () => {
    const share = createSharedCalls<string>();
    const [first, later] = [piece('first'), piece('later')];
    const asked = [1, 2].map(() => share(owner, 'a', first.work).catch(String));
    first.end(new Error('away'));
    expect(await Promise.all(asked)).to.deep.equal(['Error: away', 'Error: away']);
    later.end();
    expect(await share(owner, 'a', later.work)).to.equal('later');
  });

  it('are not shared with another key or owner', async () => {
    const share = createSharedCalls<string>();
    const pieces = ['a', 'b', 'c'].map(piece);
    for (const { end } of pieces) end();
    const [a, b, c] = pieces.map(({ work }) => work);
    if (a === undefined || b === undefined || c === undefined) throw new Error('Three are made');
    const asked = [share(owner, 'x', a), share(owner, 'y', b), share({}, 'x', c)];
    expect(await Promise.all(asked)).to.deep.equal(['a', 'b', 'c']);
  });
});
