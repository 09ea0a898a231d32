import { expect } from 'chai';
import type { Data } from '../../../src/data/model/data.ts';
import type { Of } from '#schema/index.ts';
import { AtWork } from '../../support/at-work.ts';
import { turns, until } from '../../support/device.ts';

/** Types that the first load leaves out: they come with the screen that asks for them. */
describe('what is fetched on demand', () => {
  let work: AtWork;
  let product: string;

  beforeEach(async () => {
    work = await AtWork.begin();
    product = work.server.put('product', { project: work.world.project });
    await until(() => work.data.find.one('product', product) !== null, 'the product');
  });
  afterEach(() => work.data.close());

  const takeStep = (initialState: string, fields: Partial<Of<'productTransition'>> = {}) =>
    work.server.put('productTransition', { product, transitionType: 1, initialState, ...fields });
  /** A screen in `data`’s tab that shows the product’s history. */
  const openHistory = (data: Data) => {
    const list = data.lists.open('productTransition', { product });
    const stop = list.subscribe(() => undefined);
    const steps = () => list.view().rows.map(({ initialState }) => initialState);
    return { list, stop, steps };
  };
  const stepsHere = () =>
    work.data.find.all('productTransition', {}).map(({ initialState }) => initialState);

  it('is kept true: what others add to it comes by itself [R251]', async () => {
    takeStep('Approval');
    const { steps } = openHistory(work.data);
    await until(() => steps().length === 1, 'the answer');
    takeStep('Product Build');
    await until(() => steps().length === 2, 'the next step');
    expect(steps()).to.deep.equal(['Approval', 'Product Build']);
  });

  it('is kept true where there was nothing yet', async () => {
    const { list, steps } = openHistory(work.data);
    await until(() => list.view().state === 'ready', 'the answer');
    takeStep('Approval');
    await until(() => steps().length === 1, 'the first step');
  });

  it('loses nothing that comes before the answer, and was not in it', async () => {
    takeStep('Approval');
    work.server.faults.push(() => {
      const data = [...work.server.records.values()].filter(
        ({ type }) => type === 'product-transitions',
      );
      takeStep('Product Build');
      return new Response(JSON.stringify({ data }), {
        headers: { 'Content-Type': 'application/vnd.api+json' },
      });
    });
    const { steps } = openHistory(work.data);
    await until(() => steps().includes('Approval'), 'the answer');
    expect(steps()).to.deep.equal(['Approval', 'Product Build']);
  });

  it('is kept true in a tab that follows too', async () => {
    takeStep('Approval');
    const other = work.device.open(work.world.me);
    await until(() => other.find.one('product', product) !== null, 'the second tab');
    const { steps } = openHistory(other);
    await until(() => steps().length === 1 && stepsHere().length === 1, 'the answer in both tabs');
    takeStep('Product Build');
    await until(() => steps().length === 2, 'the next step');
    await other.close();
  });

  it('stays away where nobody asked for it', async () => {
    takeStep('Approval');
    const second = work.server.put('product', { project: work.world.project });
    const { steps } = openHistory(work.data);
    await until(() => steps().length === 1, 'the answer');
    takeStep('Product Build', { product: second });
    work.server.put('organization', { name: 'Lakeside Press', id: work.world.organization });
    const { organization } = work.world;
    await until(
      () => work.data.find.one('organization', organization)?.name === 'Lakeside Press',
      'later news',
    );
    await turns(5);
    expect(stepsHere()).to.deep.equal(['Approval']);
  });
});
