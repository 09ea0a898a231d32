import { createProject, editProject } from '#data/actions/projects.ts';
import type { ChangeState } from '#data/model/change.ts';
import type { Data } from '../../src/data/model/data.ts';
import type { ChangeRow, ChangesView } from '../../src/data/model/views.ts';
import type { ErrorObject } from '#protocol/problem.ts';
import type { Of } from '#schema/index.ts';
import { Device, turns, until } from './device.ts';
import { FaultyIndexedDB } from './faulty-indexeddb.ts';
import { anId } from './scripted-server.ts';
import { aWorld } from './world.ts';
import type { World } from './world.ts';

/** A person whose device is in sync with the scripted server, and what they do and see. */
export class AtWork {
  readonly world: World = aWorld();
  readonly storage = new FaultyIndexedDB();
  readonly device = new Device(this.world.server);
  data: Data;

  private constructor() {
    this.device.indexedDB = this.storage.factory;
    this.data = this.device.open(this.world.me);
  }

  static async begin(): Promise<AtWork> {
    const work = new AtWork();
    await until(() => work.isLevel, 'the first load');
    return work;
  }

  /** From now on nothing can be written. */
  breakStorage(): void {
    this.storage.fail({ at: 'commit', name: 'AbortError' });
  }

  get isLevel(): boolean {
    return this.data.lists.open('project', {}).view().asOf !== null;
  }

  get server(): World['server'] {
    return this.world.server;
  }

  get changes(): ChangesView {
    return this.data.changes.view();
  }

  /** The newest change of the record. */
  changeOf(id: string): ChangeRow {
    const row = this.changes.rows.find(({ about }) => about.id === id);
    if (row === undefined) throw new Error('The record has no change');
    return row;
  }

  /** The newest change in `state`. */
  change(state: ChangeState): ChangeRow {
    const row = this.changes.rows.find((other) => other.state === state);
    if (row === undefined) throw new Error(`No change is ${state}`);
    return row;
  }

  states(): string[] {
    return this.changes.rows.map(({ state }) => state).reverse();
  }

  /** A reviewer of a project: below it, and typed by hand. */
  addReviewer(project = this.world.project): Promise<string> {
    return this.data.add(
      'reviewer',
      { name: 'Rosa', email: 'rosa@example.org', locale: 'es-419', project },
      ['changes.project.edit', { name: 'Rosa' }],
    );
  }

  project(id = this.world.project): Of<'project'> {
    const { record } = this.data.records.view('project', id);
    if (record === null) throw new Error('The project is not here');
    return record;
  }

  name(id = this.world.project): string | undefined {
    return this.data.find.one('project', id)?.name;
  }

  inServer(id = this.world.project): Readonly<Record<string, unknown>> {
    return this.server.get('project', id)?.attributes ?? {};
  }

  rename(name: string, id = this.world.project): Promise<void> {
    return editProject(this.data, this.project(id), { name });
  }

  create(name = 'Mango'): Promise<string> {
    const { organization, group, type } = this.world;
    return createProject(this.data, { name, language: 'fr-FR', organization, group, type });
  }

  /**
   * Cuts off answers and server updates until `online`. A change of another project has been tried,
   * so that the next ones wait without an attempt.
   */
  async offline(): Promise<void> {
    const second = this.world.addProject({ name: 'Second' });
    await until(() => this.name(second) !== undefined, 'the second project');
    this.server.isDown = true;
    this.server.hangUp();
    await this.rename('Tried', second);
    await turns(5);
  }

  async online(): Promise<void> {
    this.server.isDown = false;
    await this.device.pass(10_000);
  }

  came(state: ChangeState): Promise<void> {
    return until(() => this.changes.rows.some((row) => row.state === state), state);
  }

  saved(): Promise<void> {
    return until(() => this.changes.waiting + this.changes.attention === 0, 'saved');
  }

  answered(): Promise<void> {
    return until(() => this.changes.waiting === 0, 'every answer');
  }

  /** Closes the tab and opens it again. */
  async reload(): Promise<void> {
    await this.data.close();
    this.data = this.device.open(this.world.me);
    await this.data.restored;
  }
}

/** A refusal as the server puts it into a verdict. */
export function refusal(
  status: number,
  code: string,
  more: Partial<ErrorObject> = {},
): readonly ErrorObject[] {
  return [{ id: anId(), status: String(status), code, title: code, ...more }];
}
