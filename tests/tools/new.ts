import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { format, getFileInfo, resolveConfig } from 'prettier';
import type { TypeName } from '#schema/index.ts';

/**
 * Begins what CONTRIBUTING describes. All that it writes passes the checks as it is.
 *
 *     npm run new -- resource device-key
 *     npm run new -- migration projects-website project.website
 *     npm run new -- screen people/reviewers Reviewers Revisores Relecteurs
 */

const touched = new Set<string>();

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  touched.add(file);
}

function create(file: string, text: string): void {
  if (existsSync(file)) throw new Error(`${file} is there already`);
  put(file, text);
}

/** Writes `text` before `place`. @throws Error when the file does not have that once */
function insert(file: string, place: string, text: string): void {
  const [before = '', after, ...more] = readFileSync(file, 'utf8').split(place);
  if (after === undefined || more.length > 0) throw new Error(`${file} has not once: ${place}`);
  put(file, `${before}${text}${place}${after}`);
}

/** `device-key` → `deviceKey`. */
const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const pascal = (name: string) => camel(`-${name}`);

function requireName(name: string | undefined, form: RegExp): string {
  if (name === undefined || !form.test(name))
    throw new Error(`${String(name)} is no name: it is like device-key`);
  return name;
}

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

// resource ----------------------------------------------------------------------------------------

/** A resource of an organization, of which its admins alone know. */
async function newResource(name: string): Promise<void> {
  const type = camel(name);
  create(
    `src/schema/${name}.ts`,
    `import { line, one, resource } from './define.ts';
import type { RecordOf } from './define.ts';

/** A ${name.replaceAll('-', ' ')} of an organization. */
export const ${type} = resource(
  '${type}',
  'LGCUD',
  {
    name: line(250).required(),
    organization: one('organization').required().by('create'),
  },
  { belongsTo: 'organization', below: ['organization'], load: 'first', narrowed: true },
);

export type ${pascal(name)} = RecordOf<typeof ${type}>;
`,
  );
  listInIndex(name, type);

  // Only now is it part of the schema.
  const { wireTypeOf } = await import('#protocol/names.ts');
  const wire = wireTypeOf(type as TypeName);
  const mirror = `    ${camel(wire)}: many('${type}', 'organization'),\n`;
  insert('src/schema/organization.ts', "  },\n  {\n    belongsTo: '',", mirror);

  const access = 'src/rules/access.ts';
  if (!/\bmayAdminister\b/.test(readFileSync(access, 'utf8')))
    insert(
      access,
      'import { mayAddProduct',
      "import { mayAdminister } from './organization.ts';\n",
    );
  const may = '(viewer, { organization }) => mayAdminister(viewer, organization)';
  const entry = `${type}: { read: admins('organization'), create: ${may}, update: ${may}, remove: ${may} },`;
  insert(access, '  systemStatus: {', entry);

  const admins = "{ R: 'SA OA', C: 'SA OA', U: 'SA OA', D: 'SA OA' }";
  insert('tests/rules/access.test.ts', "  systemStatus: { R: 'SA' },", `  ${type}: ${admins},\n`);
  const statuses = '| `system-statuses` ';
  const rights = `| \`${wire}\` | R C U D | R C U D | | | | | | | | |\n`;
  insert('docs/spec/domain.md', statuses, rights);
  const traits = `| \`${wire}\` | L G C U D | \`organization\` | \`organization\` | first | N |\n`;
  insert('docs/spec/wire.md', statuses, traits);
  const { inputRowsOf } = await import('../support/input-rows.ts');
  const head = '| Field | Kind, or what may be chosen | Most characters | Needed | When it is |';
  const rows = [head, '| --- | --- | --- | --- | --- |', ...inputRowsOf(type as TypeName)];
  const input = readFileSync('docs/input.md', 'utf8');
  put('docs/input.md', `${input}\n### ${wire}\n\n${rows.join('\n')}\n`);
  await newMigration(wire, []);
}

function listInIndex(name: string, type: string): void {
  const file = 'src/schema/index.ts';
  const text = readFileSync(file, 'utf8');
  const imports = text.match(/^import \{ \w+ \} from '\.\/.*\n/gm) ?? [];
  const own = `import { ${type} } from './${name}.ts';\n`;
  const path = (line: string) => /'\.\/(.*)\.ts'/.exec(line)?.[1] ?? '';
  const next = imports.find((line) => path(line) > name);
  if (next === undefined) throw new Error(`${file} imports nothing behind ${name}`);
  insert(file, next, own);
  insert(file, '  systemStatus,\n} as const', `  ${type},\n`);
}

// migration ---------------------------------------------------------------------------------------

const FOLDER = 'src/server/db/migrations';

/** Adds the columns of `fields` (`type.field`), or, without any, the table that is called `name`. */
async function newMigration(name: string, fields: readonly string[]): Promise<void> {
  const numbers = readdirSync(FOLDER).map((file) => Number.parseInt(file, 10) || 0);
  const number = String(Math.max(...numbers) + 1).padStart(3, '0');
  const { tableSql, columnSql } = await import('../support/table-sql.ts');
  const { typeOfWire } = await import('#protocol/names.ts');
  const type = typeOfWire(name);
  if (fields.length === 0 && type === null) throw new Error(`Say which fields, like project.name`);
  const sql = type === null ? fields.map((field) => columnSql(field)).join('') : tableSql(type);
  create(`${FOLDER}/${number}-${name}.sql`, sql);
}

// screen ------------------------------------------------------------------------------------------

const LANGUAGES = ['en-US', 'es-419', 'fr-FR'];

/** A page with its title, at the address of its name. */
function newScreen(place: string, titles: readonly string[]): void {
  const [area = '', name = ''] = place.split('/');
  if (titles.length !== LANGUAGES.length)
    throw new Error(`Give its title in ${LANGUAGES.join(', ')}`);
  const screen = `${pascal(name)}Page`;
  const key = `${camel(name)}Page.title`;
  addToMap(area);
  create(
    `src/screens/${area}/${name}-page.tsx`,
    `import { PageHead } from '#ui/page/page-head.tsx';
import { useText } from '#ui/text/text.ts';
import { usePageTitle } from '../app/page/page-title.ts';

/** \`/${name}\` */
export function ${screen}() {
  const t = useText();
  usePageTitle(t('${key}'));
  return <PageHead title={t('${key}')} />;
}
`,
  );
  const load = `async () => (await import('../${area}/${name}-page.tsx')).${screen}`;
  const page = `  { path: '/${name}', guard: everyone, screen: ${load} },\n`;
  insert('src/screens/app/routes.tsx', '];\n\nfunction routeOf', page);
  LANGUAGES.forEach((language, i) => {
    addText(`src/text/${language}.json`, key, titles[i] ?? '');
  });
  // It comes with the page.
  insert('webpack.config.ts', 'bell|fields|problems|', `${camel(name)}Page|`);
  const row = `  inside('/${name}', '${key}', 'members'),\n`;
  insert('tests/end-to-end/route-table.ts', '  // In the shell, and alone.', row);
  create(
    `tests/screens/${area}/${name}.browser.test.tsx`,
    `import { cleanup, render, screen } from '@testing-library/react';
import { expect } from 'chai';
import { ${screen} } from '#screens/${area}/${name}-page.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { builder, shelf } from '../../support/shelf.ts';

async function visit(): Promise<void> {
  const { surroundings } = testSurroundings();
  const routes = [{ path: '/${name}', element: <${screen} /> }];
  const app = await openStore(builder, shelf);
  render(<Around store={app} surroundings={surroundings} routes={routes} at="/${name}" />);
}

describe('the page at /${name}', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('has its title, in the tab too', async () => {
    await visit();

    expect(screen.getByRole('heading').textContent).to.equal(${JSON.stringify(titles[0])});
    expect(document.title).to.contain(${JSON.stringify(titles[0])});
  });
});
`,
  );
}

/** A new folder of screens is a module, which the README names and the routes import. */
function addToMap(area: string): void {
  if (existsSync(`src/screens/${area}`)) return;
  const file = 'src/screens/README.md';
  insert(file, '| `status` ', `| \`${area}\` | The pages of ${area}. | app/page |\n`);
  const map = readFileSync(file, 'utf8');
  put(file, map.replace(/^(\| `app` .*), status \|$/m, `$1, ${area}, status |`));
}

function addText(file: string, key: string, text: string): void {
  const texts = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  if (key in texts) throw new Error(`${file} has ${key} already`);
  const sorted = Object.entries({ ...texts, [key]: text }).sort(([a], [b]) => (a < b ? -1 : 1));
  put(file, JSON.stringify(Object.fromEntries(sorted)));
}

// -------------------------------------------------------------------------------------------------

const [what, name, ...more] = process.argv.slice(2);
if (what === 'resource') await newResource(requireName(name, NAME));
else if (what === 'migration') await newMigration(requireName(name, NAME), more);
else if (what === 'screen') newScreen(requireName(name, /^[a-z][a-z-]*\/[a-z][a-z-]*$/), more);
else throw new Error('npm run new -- resource|migration|screen NAME');

for (const file of touched) {
  if ((await getFileInfo(file)).inferredParser !== null) {
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
  }
  process.stdout.write(`${file}\n`);
}
