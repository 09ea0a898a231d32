import { expect } from 'chai';
import { readProjectFilters } from '#rules/record/project-query.ts';
import { passesFilters } from '#rules/task/task-filter.ts';
import type { TaskGroup } from '#rules/task/task-group.ts';
import { Records } from '../../support/records.ts';

const ANA = 'ana';

/** Whether a task of Ana's about a French project of Ben's is in sight with the filters of an address. */
function isInSight(query: string, group: TaskGroup = 'to-do', hasProduct = true): boolean {
  const db = new Records();
  const project = db.add('project', { language: 'fr-FR', owner: 'ben', group: 'north' });
  const product = db.add('product', { project: project.id, productDefinition: 'android' });
  const stated = new URLSearchParams(query);
  const filters = readProjectFilters((name) => stated.get(name) ?? '');
  return passesFilters({ group, product: hasProduct ? product : null }, filters, ANA, db);
}

describe('[screens 5] a task among filters', () => {
  it('is in sight where none is set, and where each that is set has a value of it', () => {
    for (const query of [
      '',
      'status=to-do',
      'status=failed,to-do',
      'language=FR-fr',
      'owner=ben',
      'group=north',
      'product=android,web',
      'status=to-do&language=fr-FR,en&owner=me,ben&group=north&product=android',
    ])
      expect(isInSight(query), query).to.equal(true);
  });

  it('is out of sight where one that is set has no value of it', () => {
    for (const query of [
      'status=failed',
      'status=nonsense',
      'language=fr',
      'owner=me',
      'group=south',
      'product=web',
      'status=to-do&language=fr-FR&owner=ben&group=north&product=web',
    ])
      expect(isInSight(query), query).to.equal(false);
  });

  it('that has lost its product is in sight by its status alone', () => {
    expect(isInSight('status=to-do', 'to-do', false)).to.equal(true);
    expect(isInSight('', 'to-do', false)).to.equal(true);
    for (const query of ['language=fr-FR', 'owner=ben', 'group=north', 'product=android'])
      expect(isInSight(query, 'to-do', false), query).to.equal(false);
  });

  it('of one’s own project is that of me', () => {
    const db = new Records();
    const project = db.add('project', { language: 'en', owner: ANA });
    const task = { group: 'failed', product: db.add('product', { project: project.id }) } as const;
    const filters = readProjectFilters((name) => (name === 'owner' ? 'me' : ''));
    expect(passesFilters(task, filters, ANA, db)).to.equal(true);
    expect(passesFilters(task, filters, 'ben', db)).to.equal(false);
  });
});
