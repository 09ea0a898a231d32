import {
  archive,
  claim,
  createProject,
  editProject,
  reactivate,
  setGroup,
  setOwner,
  setSwitch,
} from '#data/actions/projects.ts';
import { setLocale } from '#data/actions/users.ts';
import { NotSavedError } from '#data/model/change.ts';
import type { Data } from '../../src/data/model/data.ts';
import type { ChangeRow } from '../../src/data/model/views.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Of, TypeName } from '#schema/index.ts';
import type { Tab } from './browser.ts';
import type { Chance } from './chance.ts';
import { typedOf } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import type { World } from './world.ts';

type Kind =
  | 'rename'
  | 'describe'
  | 'create'
  | 'switch'
  | 'archive'
  | 'claim'
  | 'owner'
  | 'group'
  | 'review'
  | 'unreview'
  | 'locale'
  | 'attend'
  | 'undo'
  | 'hurry';

const OFTEN: Readonly<Record<Kind, number>> = {
  rename: 30,
  describe: 18,
  create: 10,
  switch: 10,
  archive: 6,
  claim: 2,
  owner: 3,
  group: 3,
  review: 6,
  unreview: 3,
  locale: 3,
  attend: 14,
  undo: 3,
  hurry: 1,
};

/** The acts of people on their devices, with the product's own actions, as the screens would. */
export class People {
  readonly #world: World;
  readonly #chance: Chance;
  readonly ledger: Ledger;
  readonly done = new Map<string, number>();
  /** The errors that actions threw and that are no answer to a person. */
  readonly bugs: string[] = [];
  #words = 0;

  constructor(world: World, ledger: Ledger) {
    this.#world = world;
    this.#chance = world.chance.branch('people');
    this.ledger = ledger;
  }

  /** Someone does something in `tab`, as one event. */
  act(tab: Tab): void {
    const kind = this.#chance.weighted(OFTEN);
    this.#world.schedule.plan(tab, `person: ${kind}`, () => {
      const { data } = tab;
      // There is nothing on the screen yet, or a page that says why not.
      if (data?.viewerStatus.view() !== 'ready') return;
      this.#do(kind, tab, data).catch((error: unknown) => {
        const isAnswer = error instanceof NotSavedError || error instanceof ProblemError;
        if (!isAnswer) this.bugs.push(`${kind}: ${String(error)}`);
      });
    });
  }

  async #do(kind: Kind, tab: Tab, data: Data): Promise<void> {
    this.done.set(kind, (this.done.get(kind) ?? 0) + 1);
    if (kind === 'create') return this.#create(tab, data);
    if (kind === 'locale') return this.#locale(tab, data);
    if (kind === 'attend') return this.#attend(tab, data);
    if (kind === 'undo') return this.#undo(tab, data);
    if (kind === 'hurry') {
      data.changes.sendNow();
      return;
    }
    if (kind === 'unreview') return this.#unreview(tab, data);
    const project = this.#aProject(data);
    if (project === null) return;
    if (kind === 'review') return this.#review(tab, data, project);
    await this.#edit(kind, tab, data, project);
  }

  /** Some projects are more popular than others, so that people meet. */
  #aProject(data: Data): Of<'project'> | null {
    const all = data.find.all('project', {}).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    if (all.length === 0) return null;
    return this.#chance.is(0.6) ? this.#chance.any(all.slice(0, 2)) : this.#chance.any(all);
  }

  #word(tab: Tab, what: string): string {
    this.#words += 1;
    return `${what} ${this.#words} by ${tab.account.name}`;
  }

  async #edit(
    kind: Exclude<Kind, 'create' | 'locale' | 'attend' | 'undo' | 'hurry' | 'review' | 'unreview'>,
    tab: Tab,
    data: Data,
    project: Of<'project'>,
  ): Promise<void> {
    const word = this.#word(tab, 'Text');
    const people = data.find.all('user', {}).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const groups = data.find.all('group', { owner: project.organization });
    const owner = this.#chance.any(people).id;
    const group = groups.length === 0 ? project.group : this.#chance.any(groups).id;
    const which = this.#chance.any(['isPublic', 'allowDownloads', 'automaticBuilds'] as const);
    const isArchived = project.dateArchived !== null;
    switch (kind) {
      case 'rename':
        return this.#state(tab, data, project, { name: word }, () =>
          editProject(data, project, { name: word }),
        );
      case 'describe':
        return this.#state(tab, data, project, { description: word }, () =>
          editProject(data, project, { description: word }),
        );
      case 'switch':
        return this.#state(tab, data, project, { [which]: !project[which] }, () =>
          setSwitch(data, project, which, !project[which]),
        );
      case 'archive': {
        const dateArchived = isArchived ? null : new Date(data.clock()).toISOString();
        return this.#state(tab, data, project, { dateArchived }, () =>
          isArchived ? reactivate(data, [project]) : archive(data, [project]),
        );
      }
      case 'claim':
        return this.#state(tab, data, project, { owner: data.viewerId() }, () =>
          claim(data, project),
        );
      case 'owner':
        return this.#state(tab, data, project, { owner }, () => setOwner(data, project, owner));
      case 'group':
        return this.#state(tab, data, project, { group }, () => setGroup(data, project, group));
    }
  }

  /** Notes what a person states of a project, and does it. */
  async #state(
    tab: Tab,
    data: Data,
    project: Of<'project'>,
    fields: Readonly<Record<string, unknown>>,
    act: () => Promise<void>,
  ): Promise<void> {
    const shown = data.find.one('project', project.id) as Record<string, unknown> | null;
    const seen = Object.fromEntries(Object.keys(fields).map((f) => [f, shown?.[f] ?? null]));
    if (Object.entries(fields).every(([field, value]) => seen[field] === value)) return;
    await this.#note(tab, 'project', project.id, fields, seen, act);
  }

  async #note(
    tab: Tab,
    type: TypeName,
    id: string,
    fields: Readonly<Record<string, unknown>> | null,
    seen: Readonly<Record<string, unknown>>,
    act: () => Promise<unknown>,
    how: { readonly isNew?: boolean; readonly isAgain?: boolean } = {},
  ): Promise<void> {
    const { isNew = false, isAgain = false } = how;
    const { schedule } = this.#world;
    const askedAt = schedule.now;
    const intent = this.ledger.add({ tab, type, id, fields, seen, isNew, isAgain, askedAt });
    try {
      await act();
      this.ledger.saved(intent, schedule.now);
      schedule.trace(`${tab.name} saved ${intent.n} as ${String(intent.change)}`);
    } catch (error) {
      intent.isRefused = true;
      schedule.trace(`${tab.name} refused ${intent.n}: ${String(error)}`);
      throw error;
    }
  }

  async #create(tab: Tab, data: Data): Promise<void> {
    const [press] = this.#chance.is(0.5) ? this.#world.presses : this.#world.presses.toReversed();
    if (press === undefined || data.find.one('organization', press.organization) === null) return;
    const name = this.#word(tab, 'Project');
    const { schedule } = this.#world;
    const fields = { name };
    const askedAt = schedule.now;
    const id = await createProject(data, {
      name,
      language: this.#chance.any(['en-US', 'fr-FR', 'sw']),
      organization: press.organization,
      group: this.#chance.any(press.groups),
      type: press.type,
    });
    // Its id is known only now: whoever dies before has made nothing that anyone could name.
    const how = { tab, seen: {}, isNew: true, isAgain: false, askedAt };
    const intent = this.ledger.add({ ...how, type: 'project', id, fields });
    this.ledger.saved(intent, schedule.now);
  }

  async #review(tab: Tab, data: Data, project: Of<'project'>): Promise<void> {
    const name = this.#word(tab, 'Reviewer');
    const { schedule } = this.#world;
    const askedAt = schedule.now;
    const fields = { name, email: `r${this.#words}@example.org`, project: project.id };
    const says = ['changes.reviewer.add', { name }] as const;
    const id = await data.add('reviewer', fields, says);
    const how = { tab, seen: {}, isNew: true, isAgain: false, askedAt };
    const intent = this.ledger.add({ ...how, type: 'reviewer', id, fields: { name } });
    this.ledger.saved(intent, schedule.now);
  }

  async #unreview(tab: Tab, data: Data): Promise<void> {
    const all = data.find.all('reviewer', {}).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    if (all.length === 0) return;
    const { id, name } = this.#chance.any(all);
    await this.#note(tab, 'reviewer', id, null, {}, () =>
      data.remove('reviewer', id, ['changes.reviewer.remove', { name }]),
    );
  }

  async #locale(tab: Tab, data: Data): Promise<void> {
    const me = data.find.one('user', data.viewerId());
    const locale = this.#chance.any(['en-US', 'es-419', 'fr-FR'] as const);
    if (me === null || me.locale === locale) return;
    await this.#note(tab, 'user', me.id, { locale }, { locale: me.locale }, () =>
      setLocale(data, locale),
    );
  }

  // what needs the person ---------------------------------------------------------------------

  /** Someone looks at the changes panel and settles one of what is in need of them. */
  async #attend(tab: Tab, data: Data): Promise<void> {
    const rows = data.changes
      .view()
      .rows.filter(({ state }) => ['refused', 'conflict', 'held', 'confirm'].includes(state));
    if (rows.length === 0) return;
    const row = this.#chance.any(rows);
    const { changes } = data;
    if (row.state === 'confirm') {
      await changes.confirm(row.id);
      return;
    }
    if (row.state === 'conflict') {
      const isMine = this.#chance.is(0.5);
      if (isMine) await this.#again(tab, data, row, () => changes.keepMine(row.id));
      else {
        this.ledger.giveUp(data, row);
        await changes.takeTheirs(row.id);
      }
      return;
    }
    const isForAgain = this.#chance.is(0.5);
    // The panel offers no second try of what is held: what holds it is settled first.
    if (isForAgain && row.state === 'held') return;
    if (isForAgain) await this.#again(tab, data, row, () => changes.tryAgain(row.id));
    else {
      this.ledger.giveUp(data, row);
      const putBack = await changes.discard(row.id);
      if (typeof putBack === 'function' && this.#chance.is(0.1)) await putBack();
    }
  }

  /** The typed values are stated once more, based on the present ones. */
  async #again(tab: Tab, data: Data, row: ChangeRow, act: () => Promise<void>): Promise<void> {
    const shown = data.find.one(row.about.type, row.about.id) as Record<string, unknown> | null;
    const theirs = Object.fromEntries(row.conflict.map((one) => [one.field, one.theirs]));
    const fields = typedOf(data, row);
    const seen = Object.fromEntries(
      Object.keys(fields).map((field) => [field, theirs[field] ?? shown?.[field] ?? null]),
    );
    const { type, id } = row.about;
    await this.#note(tab, type, id, fields, seen, act, { isAgain: true });
  }

  async #undo(tab: Tab, data: Data): Promise<void> {
    const rows = data.changes.view().rows.filter(({ canUndo }) => canUndo);
    if (rows.length === 0) return;
    const row = this.#chance.any(rows.slice(0, 5));
    this.ledger.giveUp(data, row);
    this.#world.schedule.trace(`${tab.name} undoes ${row.id}`);
    await data.changes.undo(row.id);
  }
}
