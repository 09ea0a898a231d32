import { expect } from 'chai';
import { START_WITHIN_MS } from '../http/api/world.ts';
import { anApp, HTML, Town } from './town.ts';

/** Founds a town before the suite at hand, gives it to `use`, and stops it after. No job may break. */
export function inTown(use: (town: Town) => void): void {
  let town: Town;
  before(async function () {
    this.timeout(START_WITHIN_MS);
    town = await Town.found();
    use(town);
  });
  after(() => town.stop());
  afterEach('no job broke', () => {
    expect(town.faults).to.deep.equal([]);
  });
}

/** Makes a project with `content` and a product, which waits for the first step of a person. */
export async function aProductIn(
  town: Town,
  { definition = HTML, store = 'slipway_web', content = anApp() } = {},
): Promise<{ readonly project: string; readonly product: string }> {
  const project = await town.project();
  expect((await town.upload(project, content)).status).to.equal(204);
  const product = await town.product(project, definition, store);
  await town.workOff();
  return { project, product };
}
