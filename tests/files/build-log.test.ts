import { expect } from 'chai';
import { limits } from '#protocol/limits.ts';
import { createFiles } from '#files/files.ts';
import type { BuildLogState } from '#files/build-log.ts';
import { OwnTime } from '../support/own-time.ts';

const LOG = '/api/product-builds/1/console';
const POLL_MS = limits.logPollEveryMs;

/** One of the server's answers about a log. */
type Told = Response | 'no answer';

const problem = (status: number, code: string, headers = {}, meta = {}): Response =>
  new Response(JSON.stringify({ errors: [{ id: '1', status: String(status), code, meta }] }), {
    status,
    headers,
  });

/** A log on a server of the test's own, which answers as ours does, or as it is told to. */
function device() {
  const time = new OwnTime();
  const requests: { readonly range: string | null; readonly ifRange: string | null }[] = [];
  const told: Told[] = [];
  const log = { text: '', attempt: 1, isComplete: false };
  const watchers = new Set<() => void>();
  let isVisible = true;
  let isSettled = Promise.resolve();

  const answerTo = (headers: Headers): Response => {
    const tag = `"7-${log.attempt}"`;
    const ifRange = headers.get('If-Range');
    const isAnother = ifRange !== null && ifRange !== tag;
    const start = isAnother ? 0 : Number(/\d+/.exec(headers.get('Range') ?? '')?.[0]);
    const bytes = new TextEncoder().encode(log.text).slice(start, start + limits.logPartBytes);
    const isEnd = start + bytes.length === new TextEncoder().encode(log.text).length;
    const common = { ETag: tag, 'X-Log-Complete': String(log.isComplete && isEnd) };
    if (!isAnother && bytes.length === 0)
      return new Response(null, { status: 204, headers: common });
    return new Response(bytes, { status: isAnother ? 200 : 206, headers: common });
  };
  const files = createFiles({
    accessToken: () => Promise.resolve('good'),
    fetch: (_, { headers }) => {
      const sent = new Headers(headers);
      requests.push({ range: sent.get('Range'), ifRange: sent.get('If-Range') });
      const next = told.shift();
      if (next === 'no answer') return Promise.reject(new TypeError('offline'));
      return Promise.resolve(next ?? answerTo(sent));
    },
    put: () => Promise.reject(new Error()),
    open: () => undefined,
    holdTab: () => () => undefined,
    abortAfter: () => new AbortController().signal,
    after: (ms, act) => time.after(ms, act),
    isVisible: () => isVisible,
    onVisible: (listener) => {
      watchers.add(listener);
      return () => {
        watchers.delete(listener);
      };
    },
  });
  const { logs } = files;
  return {
    log,
    logs,
    told,
    time,
    requests,
    watchers,
    texts: (address = LOG) => logs.of(address).lines.map(({ text }) => text),
    state: (): BuildLogState => logs.of(LOG).state,
    /** Shows the log; resolves once there is nothing to do but wait. */
    show: async (address = LOG) => {
      const leave = logs.subscribe(address, () => undefined);
      await atRest();
      return leave;
    },
    pass: async (ms: number) => {
      time.pass(ms);
      await atRest();
    },
    look: async (isSeen: boolean) => {
      isVisible = isSeen;
      if (isSeen) for (const heard of [...watchers]) heard();
      await atRest();
    },
    atRest,
  };

  /** Every answer is given at once: what it leads to is over after a turn of the event loop. */
  async function atRest(): Promise<void> {
    let seen = -1;
    while (seen !== requests.length) {
      seen = requests.length;
      isSettled = new Promise((done) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          port1.close();
          done();
        };
        port2.postMessage(null);
      });
      await isSettled;
    }
  }
}

describe('the log of a build in a tab', () => {
  it('is read at once, then every two seconds what is new, until it is complete', async () => {
    const { log, show, pass, texts, state, requests } = device();
    log.text = 'one\ntwo\n';
    await show();
    expect([texts(), state()]).to.deep.equal([['one', 'two'], { is: 'following' }]);
    await pass(POLL_MS - 1);
    expect(requests).to.have.length(1);
    await pass(1);
    expect(requests).to.have.length(2);
    log.text += 'thrée\n';
    await pass(POLL_MS);
    expect(texts()).to.deep.equal(['one', 'two', 'thrée']);
    log.text += 'the end';
    log.isComplete = true;
    await pass(POLL_MS);
    expect([texts().at(-1), state()]).to.deep.equal(['the end', { is: 'complete' }]);
    expect(requests.map(({ range }) => range)).to.deep.equal([
      'bytes=0-',
      'bytes=8-',
      'bytes=8-',
      'bytes=15-',
    ]);
    expect(requests.map(({ ifRange }) => ifRange)).to.deep.equal([null, '"7-1"', '"7-1"', '"7-1"']);
    await pass(60_000);
    expect(requests).to.have.length(4);
  });

  it('is read in full parts one after the other, without waiting', async () => {
    const { log, show, texts, requests, state } = device();
    log.text = 'a line of waves, again and again\n'.repeat(70_000);
    log.isComplete = true;
    await show();
    expect(texts()).to.have.length(70_000);
    expect(new Set(texts()).size).to.equal(1);
    const parts = Math.ceil(log.text.length / limits.logPartBytes);
    expect([requests.length, state().is]).to.deep.equal([parts, 'complete']);
  });

  it('begins anew when another attempt at the build has begun', async () => {
    const { log, show, pass, texts } = device();
    log.text = 'first\nattempt\n';
    await show();
    Object.assign(log, { text: 'second\n', attempt: 2 });
    await pass(POLL_MS);
    expect(texts()).to.deep.equal(['second']);
    log.text += 'goes on\n';
    await pass(POLL_MS);
    expect(texts()).to.deep.equal(['second', 'goes on']);
  });

  it('is asked for by nobody while the page is hidden, or shows something else', async () => {
    const { show, pass, look, requests, time, watchers } = device();
    const leave = await show();
    await look(false);
    await pass(60_000);
    expect(requests).to.have.length(1);
    await look(true);
    expect(requests).to.have.length(2);
    leave();
    await pass(60_000);
    await look(true);
    expect([requests.length, time.waiting, watchers.size]).to.deep.equal([2, 0, 0]);
  });

  it('is read once however often it is shown, and goes on from where it was', async () => {
    const { log, show, pass, texts, requests } = device();
    log.text = 'one\n';
    const [first, second] = [await show(), await show()];
    expect(requests).to.have.length(1);
    first();
    await pass(POLL_MS);
    expect(requests).to.have.length(2);
    second();
    log.text += 'two\n';
    await show();
    expect([texts(), requests.at(-1)?.range]).to.deep.equal([['one', 'two'], 'bytes=4-']);
  });

  it('is asked for again after 2, 4, 8, 16, then every 30 seconds without an answer', async () => {
    const { log, show, pass, told, texts, state, requests, time } = device();
    log.text = 'one\n';
    await show();
    told.push(...Array<Told>(6).fill('no answer'));
    for (const waitMs of [POLL_MS, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      const before = requests.length;
      await pass(waitMs - 1);
      expect(requests.length, `${time.now}`).to.equal(before);
      await pass(1);
      expect(requests.length, `${time.now}`).to.equal(before + 1);
      if (told.length > 0)
        expect(state()).to.deep.equal({ is: 'away', failure: { is: 'no-answer' }, isTrying: true });
    }
    expect([texts(), state()]).to.deep.equal([['one'], { is: 'following' }]);
  });

  it('is not asked for before the server wants it after 429 and 503', async () => {
    const { show, pass, told, requests } = device();
    const after = { 'Retry-After': '40' };
    told.push(
      problem(429, 'too-many-requests', after),
      problem(503, 'unavailable', after),
      new Response('A proxy', { status: 503 }),
    );
    await show();
    for (const waitMs of [40_000, 40_000, 8_000]) {
      const before = requests.length;
      await pass(waitMs - 1);
      expect(requests).to.have.length(before);
      await pass(1);
      expect(requests).to.have.length(before + 1);
    }
  });

  it('is asked for no more once it is refused, but by who tries again', async () => {
    const { log, logs, show, pass, told, atRest, requests, state, texts } = device();
    log.text = 'one\n';
    told.push(problem(403, 'forbidden'));
    await show();
    const refused = state();
    expect(refused.is === 'away' && refused.isTrying).to.equal(false);
    await pass(60_000);
    expect(requests).to.have.length(1);
    logs.retry(LOG);
    await atRest();
    expect([texts(), state()]).to.deep.equal([['one'], { is: 'following' }]);
  });

  it('that was refused is asked for again by who shows it again', async () => {
    const { log, show, told, requests, texts } = device();
    log.text = 'one\n';
    told.push(problem(404, 'not-found'));
    const leave = await show();
    leave();
    await show();
    expect([requests.length, texts()]).to.deep.equal([2, ['one']]);
  });

  it('is external where an engine elsewhere keeps it', async () => {
    const { show, pass, told, requests, state } = device();
    told.push(problem(409, 'action-not-allowed', {}, { reason: 'external-engine' }));
    await show();
    await pass(60_000);
    expect([state(), requests.length]).to.deep.equal([{ is: 'external' }, 1]);
  });

  it('keeps the newest 100,000 lines, and counts those that are gone', async () => {
    const { log, logs, show, texts } = device();
    log.text = Array.from({ length: 100_010 }, (_, i) => `${i}\n`).join('');
    log.isComplete = true;
    await show();
    expect(texts()).to.have.length(100_000);
    expect([logs.of(LOG).dropped, texts()[0]]).to.deep.equal([10, '10']);
  });

  it('keeps the three logs that were shown last', async () => {
    const { log, show, texts, requests } = device();
    Object.assign(log, { text: 'one\n', isComplete: true });
    const at = (n: number) => `/api/product-builds/${n}/console`;
    for (const n of [1, 2, 3, 4]) (await show(at(n)))();
    expect([1, 2, 3, 4].map((n) => texts(at(n)).length)).to.deep.equal([0, 1, 1, 1]);
    (await show(at(3)))();
    expect(requests).to.have.length(4);
  });
});
