import type { WorkflowFacts } from '#server/domain/workflow/guards.ts';
import type { Scheme } from '#server/domain/workflow/scheme.ts';

type ExpectedTask = readonly [people: readonly string[], commands: readonly string[]];

/**
 * The people and commands of each state, as domain 4.2 and 6.2 say it to a reader: written down a
 * second time on purpose, so that tasks are compared with it and not with the machine's own table.
 */
export function expectedTasks(
  state: string,
  { family, storeStep }: Scheme,
  { actors, hasReviewers, isArchived }: WorkflowFacts,
): ReadonlyMap<string, readonly string[]> {
  const { Owner, OrgAdmin, Author } = actors;
  const store = storeStep === 'Owner' ? Owner : OrgAdmin;
  const transfer = Author.length > 0 ? ['Transfer to Authors'] : [];
  const configure = family === 'play' ? ['New App', 'Existing App'] : ['Continue'];
  const mail = hasReviewers ? ['Email Reviewers'] : [];
  const handedOver: readonly ExpectedTask[] = [
    [Author, ['Continue']],
    [Owner, ['Take Back']],
  ];
  const decide: readonly ExpectedTask[] = [[OrgAdmin, ['Approve', 'Hold', 'Reject']]];
  const enterStore: readonly ExpectedTask[] = [[store, ['Continue', 'Reject']]];

  const table: Readonly<Record<string, readonly ExpectedTask[]>> = {
    'Readiness Check': [[Owner, ['Continue']]],
    Approval: decide,
    'Approval Pending': decide,
    'App Builder Configuration': [[Owner, [...configure, ...transfer]]],
    'Author Configuration': handedOver,
    'Synchronize Data': [[Owner, ['Continue', ...transfer]]],
    'Author Download': handedOver,
    'Author Upload': handedOver,
    'App Store Preview': [[OrgAdmin, ['Approve', 'Reject']]],
    'Create App Store Entry': enterStore,
    'Verify and Publish': [[Owner, ['Approve', 'Reject', ...mail]]],
    'Make It Live': enterStore,
  };

  const found = new Map<string, readonly string[]>();
  if (isArchived) return found;
  for (const [people, commands] of table[state] ?? [])
    for (const person of people) found.set(person, [...(found.get(person) ?? []), ...commands]);
  return found;
}
