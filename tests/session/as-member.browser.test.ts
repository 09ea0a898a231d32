import { expect } from 'chai';
import { showAsMember } from '#session/as-member.ts';
import type { MemberPage } from '#session/as-member.ts';
import { until } from '../support/device.ts';

const ADDRESS = '/downloads/products/1';
const MEMBERS = `<html lang="en"><head><title>Harvest</title></head><body>
  <img src="/api/icon"><img src="/plain.png"><p data-failed hidden>Failed</p>
  <a data-file href="/api/files/1">Harvest.apk</a></body></html>`;

/** The server's answers by address; null: it refuses. */
type Answers = Readonly<Record<string, string | null>>;

/** A download page that shows nothing, in a browser with a token. */
class Visit implements MemberPage {
  readonly document = document.implementation.createHTMLDocument('Nothing here');
  readonly address = ADDRESS;
  readonly asked: string[] = [];
  readonly left: string[] = [];
  readonly #answers: Answers;
  readonly #token: string | null;
  isOffline = false;

  constructor(answers: Answers, token: string | null = 'of Ana') {
    this.#answers = answers;
    this.#token = token;
  }

  readonly accessToken = () => Promise.resolve(this.#token);

  readonly fetch: MemberPage['fetch'] = (address, { headers }) => {
    if (this.isOffline) return Promise.reject(new TypeError('Failed to fetch'));
    this.asked.push(`${address} ${new Headers(headers).get('Authorization') ?? ''}`);
    const answer = this.#answers[address] ?? null;
    return Promise.resolve(new Response(answer, { status: answer === null ? 404 : 200 }));
  };

  readonly addressOf = (bytes: Blob) => `blob:${bytes.size}`;

  readonly leaveFor = (address: string): void => {
    this.left.push(address);
  };

  get title(): string {
    return this.document.title;
  }

  get pictures(): (string | null)[] {
    return [...this.document.querySelectorAll('img')].map((img) => img.getAttribute('src'));
  }

  get isLooking(): boolean {
    return this.document.documentElement.classList.contains('looking');
  }

  get failure(): HTMLElement | null {
    return this.document.querySelector('[data-failed]');
  }

  /** Presses the link to the file, and waits until it led somewhere or is said to have failed. */
  async press(): Promise<void> {
    const before = this.left.length;
    this.document.querySelector<HTMLElement>('[data-file]')?.click();
    await until(() => this.left.length > before || this.failure?.hidden === false, 'an end');
  }
}

async function visited(visit: Visit): Promise<Visit> {
  await showAsMember(visit);
  return visit;
}

describe('a download page that shows nothing to strangers', () => {
  it('shows a member what is theirs, asking with their token [R168]', async () => {
    const visit = await visited(new Visit({ [ADDRESS]: MEMBERS }));
    expect(visit.title).to.equal('Harvest');
    expect(visit.asked[0]).to.equal(`${ADDRESS} Bearer of Ana`);
    expect(visit.isLooking).to.equal(false);
  });

  it('brings the pictures that a link could not, and leaves out those that are refused', async () => {
    const shown = await visited(new Visit({ [ADDRESS]: MEMBERS, '/api/icon': 'icon' }));
    expect(shown.pictures).to.deep.equal(['blob:4', '/plain.png']);
    const refused = await visited(new Visit({ [ADDRESS]: MEMBERS }));
    expect(refused.pictures).to.deep.equal(['/plain.png']);
  });

  it('that everybody sees gains the way to the project alone, and keeps all else', async () => {
    const members = MEMBERS.replace(
      '<a data-file',
      '<p data-to-project><a href="/projects/1">Open the project</a></p><a data-file',
    );
    const seen = (answers: Answers) => {
      const visit = new Visit(answers);
      visit.document.body.innerHTML = '<p data-to-project></p><p>For everybody</p>';
      return visited(visit);
    };
    const { document: page, title } = await seen({ [ADDRESS]: members });
    expect(page.querySelector('[data-to-project] a')?.getAttribute('href')).to.equal('/projects/1');
    expect(page.body.textContent).to.include('For everybody');
    expect(title).to.equal('Nothing here');
    // For somebody whose token the server refuses there is none.
    expect((await seen({})).document.querySelector('a')).to.equal(null);
  });

  it('stays as it is for who is not signed in, and asks nothing', async () => {
    const visit = await visited(new Visit({ [ADDRESS]: MEMBERS }, null));
    expect(visit.title).to.equal('Nothing here');
    expect(visit.asked).to.deep.equal([]);
    expect(visit.isLooking).to.equal(false);
  });

  it('stays as it is for members of other organizations, and without a connection', async () => {
    const stranger = await visited(new Visit({}));
    expect(stranger.title).to.equal('Nothing here');
    const offline = new Visit({ [ADDRESS]: MEMBERS });
    offline.isOffline = true;
    expect((await visited(offline)).title).to.equal('Nothing here');
    expect(offline.isLooking).to.equal(false);
  });

  it('leads to a file by the address that its link gives [R337]', async () => {
    const answers = { [ADDRESS]: MEMBERS, '/api/files/1/link': '{"url":"/files/1?ticket=t"}' };
    const visit = await visited(new Visit(answers));
    await visit.press();
    expect(visit.left).to.deep.equal(['/files/1?ticket=t']);
    expect(visit.failure?.hidden).to.equal(true);
  });

  it('says that a download did not begin, and no longer when it is tried again', async () => {
    const answers = { [ADDRESS]: MEMBERS, '/api/files/1/link': '{"url":"/files/1?ticket=t"}' };
    const visit = await visited(new Visit(answers));
    visit.isOffline = true;
    await visit.press();
    expect(visit.left).to.deep.equal([]);
    expect(visit.failure?.hidden).to.equal(false);
    visit.isOffline = false;
    await visit.press();
    expect(visit.left).to.have.lengthOf(1);
    expect(visit.failure?.hidden).to.equal(true);
  });
});
