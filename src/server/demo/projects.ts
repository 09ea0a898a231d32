import type { Of } from '#schema/index.ts';
import type { WriteTransaction } from '../db/database.ts';
import type { Services } from '../domain/services.ts';
import type { AccountKey, GroupKey, OrganizationKey } from './accounts.ts';
import { setUp } from './repositories.ts';
import { actor, DEMO_AT, demoId } from './script.ts';
import type { DemoActor } from './script.ts';

const SUBJECTS = [
  'Harvest',
  'Lantern',
  'Riverbank',
  'Morning Songs',
  'Folk Tales',
  'Field Guide',
  'First Reader',
  'Star Atlas',
  'Proverbs',
  'Kitchen Book',
  'Weather Almanac',
  'Word List',
  'Travel Phrases',
  'Village Stories',
  'Herbal',
  'Counting Rhymes',
  'Letters Home',
  'Old Maps',
  'Bird Calls',
  'Hymnal',
];
const LANGUAGES = ['es-419', 'fr-FR', 'en-US', 'pt-BR', 'sw', 'hi-IN', 'id', 'qu', 'am', 'vi'];

/** The owners of the projects: of every twelve, each has so many in a row. */
const SHARES: readonly Share[] = [
  { owner: 'builder', organization: 'lakeside', group: 'north', of12: 7 },
  { owner: 'both', organization: 'lakeside', group: 'south', of12: 2 },
  { owner: 'both', organization: 'harbor', group: 'harbor', of12: 3 },
];

interface Share {
  readonly owner: AccountKey;
  readonly organization: OrganizationKey;
  readonly group: GroupKey;
  readonly of12: number;
}

const owners = SHARES.flatMap((share) => Array.from({ length: share.of12 }, () => share));

/** Makes the projects numbered `from` to `to`, those left out that are there. Returns how many. */
export async function makeProjects(
  services: Services,
  write: WriteTransaction,
  from: number,
  to: number,
): Promise<number> {
  const actors = {
    builder: await actor(services, write, 'builder'),
    both: await actor(services, write, 'both'),
  };
  const author = await actor(services, write, 'author');
  const types = await write.all('applicationType', {});
  let made = 0;

  for (let n = from; n <= to; n += 1) {
    if ((await write.one('project', demoId(`project ${n}`))) !== null) continue;
    const share = owners[(n - 1) % owners.length];
    if (share === undefined) continue;
    const owner = share.owner === 'builder' ? actors.builder : actors.both;
    await makeProject(owner, share, n, types[n % types.length]?.id ?? '');
    await setUp(services, write, demoId(`project ${n}`));
    if (share.group === 'north') await inviteOthers(owner, author.id, n);
    made += 1;
  }
  return made;
}

async function makeProject(owner: DemoActor, share: Share, n: number, type: string): Promise<void> {
  const id = demoId(`project ${n}`);
  await owner.add('project', {
    id,
    name: nameOf(n),
    language: LANGUAGES[n % LANGUAGES.length] ?? 'en-US',
    description: n % 3 === 0 ? `${nameOf(n)}, as read at ${share.organization}.` : null,
    isPublic: n % 5 !== 0,
    allowDownloads: n % 7 !== 0,
    organization: demoId(share.organization),
    group: demoId(share.group),
    owner: owner.id,
    type,
  });
  if (n % 10 === 0)
    await owner.change('project', id, { dateArchived: new Date(DEMO_AT).toISOString() });
}

/** Some projects have an author, some reviewers. */
async function inviteOthers(owner: DemoActor, author: string, n: number): Promise<void> {
  const project = demoId(`project ${n}`);
  if (n % 4 === 1) await owner.add('author', { id: demoId(`author ${n}`), project, user: author });
  for (const [place, [name, locale]] of reviewersOf(n).entries())
    await owner.add('reviewer', {
      id: demoId(`reviewer ${n} ${place}`),
      project,
      name,
      email: `${name.toLowerCase()}@readers.test`,
      locale,
    });
}

function reviewersOf(n: number): readonly (readonly [string, Of<'reviewer'>['locale']])[] {
  if (n % 6 === 1)
    return [
      ['Rosa', 'es-419'],
      ['René', 'fr-FR'],
    ];
  return n % 6 === 3 ? [['Rowan', 'en-US']] : [];
}

function nameOf(n: number): string {
  const subject = SUBJECTS[(n - 1) % SUBJECTS.length] ?? 'Book';
  const volume = Math.floor((n - 1) / SUBJECTS.length) + 1;
  return volume === 1 ? subject : `${subject} ${volume}`;
}
