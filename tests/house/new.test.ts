import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from 'chai';

/** Covers `tests/tools/new.ts`: what it writes is whole, in a copy of the repository. */

const COPIED = [
  'src',
  'tests',
  'docs/spec',
  'docs/input.md',
  'package.json',
  'public/assets/language',
  'tsconfig.json',
];

/** What was written, and no more of the program than it needs. */
const WRITTEN = [
  'src/rules/access.ts',
  'src/screens/keys/device-keys-page.tsx',
  'src/ui/css.d.ts',
  'src/ui/text/late-json.d.ts',
  'tests/rules/access.test.ts',
  'tests/screens/keys/device-keys.browser.test.tsx',
];

/** Another run of mocha, with a server of its own, on a busy machine too. */
const BUSY_MS = 600_000;

describe('npm run new', () => {
  let copy = '';
  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'slipway-new-'));
    for (const path of [...COPIED, 'webpack.config.ts'])
      cpSync(path, join(copy, path), { recursive: true });
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  });
  after(() => {
    rmSync(copy, { recursive: true });
  });

  /** What a process in the copy said, and whether it failed. */
  const run = (...args: readonly string[]) => {
    const options = { cwd: copy, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
    return { failed: status !== 0, said: `${stdout}${stderr}` };
  };
  const runNew = (...args: readonly string[]) =>
    run('--import', 'tsx', 'tests/tools/new.ts', ...args);
  const passes = ({ failed, said }: ReturnType<typeof run>) => {
    expect(failed, said).to.equal(false);
  };
  const read = (path: string) => readFileSync(join(copy, path), 'utf8');

  it('writes a resource, its migrations and a screen that pass the checks of types', () => {
    passes(runNew('resource', 'device-key'));
    const declared = read('src/schema/device-key.ts');
    const more = declared.replace(
      'required(),\n',
      'required(),\n    isLost: bool().orElse(false),\n',
    );
    writeFileSync(join(copy, 'src/schema/device-key.ts'), more.replace('{ line,', '{ bool, line,'));
    passes(runNew('migration', 'lost-keys', 'deviceKey.isLost'));
    const titles = ['Device keys', 'Llaves de dispositivos', 'Clés des appareils'];
    passes(runNew('screen', 'keys/device-keys', ...titles));

    writeFileSync(
      join(copy, 'tsconfig.written.json'),
      JSON.stringify({
        extends: './tsconfig.json',
        compilerOptions: { incremental: false },
        include: [],
        files: WRITTEN,
      }),
    );
    passes(run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.written.json'));
  });

  it('numbers migrations one after the other, each with all columns of its fields', () => {
    const [first = '', second = ''] = readdirSync(join(copy, 'src/server/db/migrations'))
      .filter((file) => /-(device|lost)-keys\.sql$/.test(file))
      .sort();

    expect(Number.parseInt(second, 10)).to.equal(Number.parseInt(first, 10) + 1);
    const table = read(`src/server/db/migrations/${first}`);
    expect(table).to.include('name_key text collate "C"');
    expect(table).to.include('create index on device_keys (organization_id)');
    expect(read(`src/server/db/migrations/${second}`)).to.equal(
      'alter table device_keys\n  add column is_lost boolean not null default false;\n',
    );
  });

  it('says the title in every language, and leads there', () => {
    for (const language of ['en-US', 'es-419', 'fr-FR'])
      expect(read(`src/text/${language}.json`)).to.include('"deviceKeysPage.title"');
    expect(read('src/screens/app/routes.tsx')).to.include("path: '/device-keys'");
  });

  it('has the resource in every suite over all of them', () => {
    const suites = [
      ...['tests/schema/schema.test.ts', 'tests/rules/access.test.ts'],
      ...['tests/data/every-resource.test.ts', 'tests/server/db/tables.test.ts'],
      ...['tests/server/db/removal.test.ts', 'tests/server/http/api/every-resource.test.ts'],
      ...['tests/server/http/api/hidden-records.test.ts', 'tests/server/http/api/undo.test.ts'],
    ];
    const ended = run(
      ...['node_modules/mocha/bin/mocha.js', '--exit', '--reporter', 'spec'],
      ...['--grep', 'device.?[kK]ey', ...suites],
    );

    passes(ended);
    // A pattern that finds nothing passes too.
    expect(Number(/(\d+) passing/.exec(ended.said)?.[1])).to.be.at.least(
      2 + 6 + 1 + 1 + 1 + 2 + 1 + 4,
    );
  }).timeout(BUSY_MS);

  /** Begins a resource that also hangs on `field`, in which other people are than in the written one. */
  const plant = (name: string, type: string, field: readonly [string, string], access: string) => {
    passes(runNew('resource', name));
    const [link, to] = field;
    const plural = `${name}s`;
    const edit = (path: string, before: string | RegExp, after: string) => {
      const text = read(path).replace(before, after);
      expect(text, path).not.to.equal(read(path));
      writeFileSync(join(copy, path), text);
    };
    const required = `one('organization').required().by('create'),\n`;
    edit(
      `src/schema/${name}.ts`,
      required,
      `${required}    ${link}: one('${to}').required().by('create'),\n`,
    );
    edit(`src/schema/${to}.ts`, '\n  },\n  {\n', `\n    ${type}s: many('${type}', '${link}'),$&`);
    edit(
      'src/rules/access.ts',
      new RegExp(`  ${type}: \\{[^]*?\n  \\},\n`),
      `  ${type}: ${access},\n`,
    );
    const folder = 'src/server/db/migrations';
    const migration = readdirSync(join(copy, folder)).find((file) => file.includes(plural));
    rmSync(join(copy, folder, migration ?? ''));
    passes(runNew('migration', plural));
  };

  it('has resources with any other scope in the suite that looks who is told of them', () => {
    const byOwner = '({ id }, { owner }) => id === owner';
    const byAdmin = '(viewer, { organization }) => mayAdminister(viewer, organization)';
    const access = (read: string, may: string) =>
      `{ read: ${read}, create: ${may}, update: ${may}, remove: ${may} }`;
    plant('pocket-note', 'pocketNote', ['owner', 'user'], access(`self('owner')`, byOwner));
    const behind = access(`anyOf(admins('organization'), publicProject('project'))`, byAdmin);
    plant('field-report', 'fieldReport', ['project', 'project'], behind);
    const rules = read('src/rules/access.ts').replace(
      'nobody, self,',
      'nobody, publicProject, self,',
    );
    writeFileSync(join(copy, 'src/rules/access.ts'), rules);

    const ended = run(
      ...['node_modules/mocha/bin/mocha.js', '--exit', '--reporter', 'spec'],
      ...['--grep', 'pocketNote|fieldReport', 'tests/server/http/api/hidden-records.test.ts'],
    );
    passes(ended);
    expect(ended.said).to.include('2 passing');
  }).timeout(BUSY_MS);

  it('refuses a name that is taken, and a field that old rows could not have', () => {
    expect(runNew('resource', 'device-key').said).to.include('is there already');
    expect(runNew('migration', 'names', 'deviceKey.name').said).to.include('.orElse(…)');
  });
});
