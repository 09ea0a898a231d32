import { expect } from 'chai';
import { limits, VERSION } from '#protocol/limits.ts';
import { createFiles } from '#files/files.ts';
import type { FilesEnvironment, FileResponse, Sending } from '#files/environment.ts';
import type { Uploading } from '#files/uploading.ts';

const PROJECT = '0197c1e0-0000-7000-8000-000000000100';
const zip = (name = 'harvest.zip', rest = 'content') => new File([`PK\x03\x04${rest}`], name);
const large = Object.defineProperty(zip(), 'size', { value: limits.repositoryBytes + 1 });

const refusal = (code: string, status: string, meta = {}): FileResponse => ({
  status: Number(status),
  text: JSON.stringify({ errors: [{ id: '1', status, code, title: code, meta }] }),
});
const taken: FileResponse = { status: 204, text: '' };

/** A device whose uploads are in the test's hand. */
function device() {
  const sent: (Sending & { readonly answer: (heard: FileResponse | null) => void })[] = [];
  const waiting: (() => void)[] = [];
  const tokens: ({ readonly refused?: string } | undefined)[] = [];
  const opened: string[] = [];
  let held = 0;
  let token: string | null = 'good';
  const answers: FileResponse[] = [];
  const environment: FilesEnvironment = {
    accessToken: (options) => {
      tokens.push(options);
      return Promise.resolve(options?.refused === undefined ? token : 'fresh');
    },
    fetch: () => {
      const heard = answers.shift();
      if (heard === undefined) return Promise.reject(new TypeError('offline'));
      return Promise.resolve(new Response(heard.text, { status: heard.status }));
    },
    put: (sending) =>
      new Promise((done, fail) => {
        const broken = () => {
          fail(new Error('broken'));
        };
        sending.signal.addEventListener('abort', broken);
        sent.push({
          ...sending,
          answer: (heard) => {
            if (heard === null) broken();
            else done(heard);
          },
        });
        for (const heard of waiting.splice(0)) heard();
      }),
    open: (address, how) => opened.push(`${how} ${address}`),
    holdTab: () => {
      held += 1;
      return () => {
        held -= 1;
      };
    },
    abortAfter: () => new AbortController().signal,
    after: () => () => undefined,
    isVisible: () => true,
    onVisible: () => () => undefined,
  };
  const files = createFiles(environment);
  const { uploads } = files;
  const seen: Uploading['is'][] = [];
  uploads.subscribe(() => seen.push(uploads.of(PROJECT).is));
  return {
    files,
    uploads,
    sent,
    tokens,
    opened,
    seen,
    answers,
    isHeld: () => held > 0,
    signOut: () => {
      token = null;
    },
    now: () => uploads.of(PROJECT),
    /** The upload that is under way, once it is. */
    underWay: async (at = 0) => {
      if (sent[at] === undefined) await new Promise<void>((heard) => waiting.push(heard));
      const sending = sent[at];
      if (sending === undefined) throw new Error('Something else was sent');
      return sending;
    },
  };
}

const troubleIn = (uploading: Uploading) =>
  uploading.is === 'chosen' ? uploading.trouble : undefined;

describe('the upload of a project’s content', () => {
  it('goes from chosen over sending and checking to done [R117]', async () => {
    const { uploads, underWay, seen, now, isHeld } = device();
    const file = zip('été 1.zip');
    await uploads.choose(PROJECT, file);
    const over = uploads.send(PROJECT, '"2.10"');
    const sending = await underWay();
    expect(isHeld()).to.equal(true);
    sending.onProgress(3);
    expect(now()).to.deep.equal({ is: 'sending', file, sentBytes: 3 });
    sending.onProgress(file.size);
    expect(now().is).to.equal('checking');
    sending.answer(taken);
    await over;
    expect(seen).to.deep.equal(['chosen', 'sending', 'sending', 'checking', 'done']);
    expect(isHeld()).to.equal(false);
    expect(sending.headers).to.include({
      Authorization: 'Bearer good',
      'Content-Type': 'application/zip',
      'Content-Disposition': "attachment; filename*=UTF-8''%C3%A9t%C3%A9%201.zip",
      'If-Match': '"2.10"',
      'X-Slipway-Version': VERSION,
    });
  });

  it('is refused without being sent when it plainly must be', async () => {
    const { uploads, now, sent } = device();
    await uploads.choose(PROJECT, new File(['A text'], 'notes.zip'));
    expect(troubleIn(now())).to.deep.equal({ is: 'unfit', why: 'not-a-zip' });
    await uploads.send(PROJECT, null);
    expect(troubleIn(now())).to.deep.equal({ is: 'unfit', why: 'not-a-zip' });
    await uploads.choose(PROJECT, new File([], 'empty.zip'));
    expect(troubleIn(now())).to.deep.equal({ is: 'unfit', why: 'not-a-zip' });
    await uploads.choose(PROJECT, large);
    expect(troubleIn(now())).to.deep.equal({ is: 'unfit', why: 'too-large' });
    const moved = zip();
    moved.slice = () => ({ arrayBuffer: () => Promise.reject(new Error()) }) as unknown as Blob;
    await uploads.choose(PROJECT, moved);
    expect(troubleIn(now())).to.deep.equal({ is: 'unfit', why: 'unreadable' });
    expect(sent).to.deep.equal([]);
  });

  it('keeps the file when the server refuses it, or gives no answer', async () => {
    const { uploads, underWay, now } = device();
    const file = zip();
    await uploads.choose(PROJECT, file);
    const answers: readonly (readonly [FileResponse | null, string])[] = [
      [refusal('invalid', '422', { reason: 'encrypted' }), 'refused'],
      [null, 'no-answer'],
      [{ status: 502, text: '<html>Bad gateway</html>' }, 'no-answer'],
      [refusal('unavailable', '503'), 'no-answer'],
      [taken, 'done'],
    ];
    for (const [n, [answer, outcome]] of answers.entries()) {
      const over = uploads.send(PROJECT, null);
      (await underWay(n)).answer(answer);
      await over;
      const uploading = now();
      expect('file' in uploading && uploading.file).to.equal(file);
      expect(troubleIn(uploading)?.is ?? uploading.is).to.equal(outcome);
    }
  });

  it('asks once for a fresh token when the server holds the one it has for over', async () => {
    const { uploads, underWay, now, sent, tokens } = device();
    await uploads.choose(PROJECT, zip());
    const over = uploads.send(PROJECT, null);
    (await underWay(0)).answer(refusal('not-signed-in', '401'));
    (await underWay(1)).answer(refusal('not-signed-in', '401'));
    await over;
    expect(sent.map(({ headers }) => headers.Authorization)).to.deep.equal([
      'Bearer good',
      'Bearer fresh',
    ]);
    expect(tokens).to.deep.equal([{}, { refused: 'good' }]);
    expect(troubleIn(now())).to.deep.equal({ is: 'sign-in' });
  });

  it('waits for the person to sign in', async () => {
    const { uploads, now, signOut, sent } = device();
    await uploads.choose(PROJECT, zip());
    signOut();
    await uploads.send(PROJECT, null);
    expect(troubleIn(now())).to.deep.equal({ is: 'sign-in' });
    expect(sent).to.deep.equal([]);
  });

  it('can be broken off, which keeps the file, and let go', async () => {
    const { uploads, underWay, now, isHeld } = device();
    const file = zip();
    await uploads.choose(PROJECT, file);
    const over = uploads.send(PROJECT, null);
    const sending = await underWay();
    uploads.breakOff(PROJECT);
    expect(now()).to.deep.equal({ is: 'chosen', file, trouble: null });
    await over;
    expect(now()).to.deep.equal({ is: 'chosen', file, trouble: null });
    expect(isHeld()).to.equal(false);
    sending.onProgress(2);
    expect(now().is).to.equal('chosen');
    uploads.letGo(PROJECT);
    expect(now()).to.deep.equal({ is: 'none' });
  });

  it('of one project is nothing to another', async () => {
    const { uploads } = device();
    await uploads.choose(PROJECT, zip());
    expect(uploads.of('another')).to.deep.equal({ is: 'none' });
  });
});

describe('a file', () => {
  it('is saved or shown by its link [R337]', async () => {
    const { files, answers, opened } = device();
    const link = { url: 'http://localhost/files/t/a.zip', filename: 'a.zip' };
    answers.push({ status: 200, text: JSON.stringify(link) });
    expect(await files.fetchFile('/api/x', 'save')).to.deep.equal({ is: 'done', value: null });
    expect(opened).to.deep.equal([`save ${link.url}`]);
  });

  it('on another host is shown, because its link leads to a page that names the host [domain 2.9]', async () => {
    const { files, answers, opened } = device();
    const link = { url: 'http://localhost/downloads/x', expiresAt: null, filename: 'a.apk' };
    answers.push({ status: 200, text: JSON.stringify(link) });
    await files.fetchFile('/api/x', 'save');
    expect(opened).to.deep.equal([`show ${link.url}`]);
  });

  it('that cannot be had opens nothing', async () => {
    const { files, answers, opened } = device();
    answers.push(refusal('not-found', '404'), { status: 200, text: 'A captive portal' });
    expect((await files.fetchFile('/api/x', 'save')).is).to.equal('refused');
    expect((await files.fetchFile('/api/x', 'save')).is).to.equal('no-answer');
    expect((await files.fetchFile('/api/x', 'save')).is).to.equal('no-answer');
    expect(opened).to.deep.equal([]);
  });
});
