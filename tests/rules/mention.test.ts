import { expect } from 'chai';
import { isOfProject, mentionOf, mentionsIn, partsOf, writtenWithNames } from '#rules/mention.ts';
import { commentOf, labelFor, searchAt, typedOf } from '#screens/activity/mentioning.ts';
import { aWorld } from './world.ts';

const ada = '01a00000-0000-7000-8000-000000000001';
const ben = '01a00000-0000-7000-8000-000000000002';

describe('mentions in a comment', () => {
  it('are ids in a form of their own, each counted once', () => {
    const text = `${mentionOf(ada)} and ${mentionOf(ben)}, ${mentionOf(ada)}`;
    expect(mentionsIn(text)).to.deep.equal([ada, ben]);
    for (const none of ['@[x]', `@${ada}`, `@[${ada.toUpperCase()}]`, `[${ada}]`, ''])
      expect(mentionsIn(none), none).to.deep.equal([]);
  });

  it('leave all other words as they are', () => {
    const text = `Hi ${mentionOf(ada)}!`;
    expect(partsOf(text)).to.deep.equal([
      { is: 'words', text: 'Hi ' },
      { is: 'mention', user: ada },
      { is: 'words', text: '!' },
    ]);
    expect(writtenWithNames(text, () => 'Ada')).to.equal('Hi @Ada!');
  });

  it('are typed by name, and come back from it, also of two people who share one', () => {
    const text = `${mentionOf(ada)}, ${mentionOf(ben)}: a@b.test, @nobody`;
    const typed = typedOf(text, () => 'Sam');
    expect(typed.text).to.equal('@Sam, @Sam (2): a@b.test, @nobody');
    expect(commentOf(typed)).to.equal(text);
    expect(labelFor(ada, 'Sam', typed.labels)).to.equal('Sam');
  });

  it('are looked for after an @ that begins a word', () => {
    expect(searchAt('Hi @an', 6)).to.equal('an');
    expect(searchAt('@', 1)).to.equal('');
    expect(searchAt('a@b', 3)).to.equal(null);
    expect(searchAt('no one', 6)).to.equal(null);
  });

  it('are of people of the project: owner, group, authors and admins, and no super admin', () => {
    const { db, people, sample } = aWorld();
    const of = (name: keyof typeof people) => isOfProject(people[name].id, sample.project, db);
    for (const name of ['PO', 'GM', 'AU', 'OA'] as const) expect(of(name), name).to.equal(true);
    for (const name of ['SA', 'OM', 'subject', 'harbor', 'nobody'] as const)
      expect(of(name), name).to.equal(false);
  });
});
