import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { ANDROID_PACKAGES, findTools } from '#engine/android/tools.ts';
import type { Log } from '#engine/build/log.ts';

const UNPACKED = resolve('node_modules/.cache/android-tools');

/**
 * Puts what makes and reads Android apps on the search path of this process and those it starts: it
 * is installed, or Debian's packages are unpacked among our own, which takes nobody's rights.
 */
export async function bringAndroidTools(): Promise<void> {
  if (await areThere()) return;
  try {
    if (!existsSync(UNPACKED)) unpack();
    process.env.PATH = `${join(UNPACKED, 'bin')}:${process.env.PATH ?? ''}`;
    await findTools(process.env.PATH, silent);
  } catch (cause) {
    const packages = ANDROID_PACKAGES.join(' ');
    throw new Error(`Tests of Android apps need these: apt install ${packages}`, { cause });
  }
}

const silent: Log = {
  say: () => undefined,
  phase: () => undefined,
  remark: () => undefined,
};

const areThere = (): Promise<boolean> =>
  findTools(process.env.PATH ?? '', silent).then(
    () => true,
    () => false,
  );

/** Whole or not at all, and once: others may be at it too. */
function unpack(): void {
  mkdirSync(dirname(UNPACKED), { recursive: true });
  const folder = mkdtempSync(`${UNPACKED}-`);
  try {
    for (const file of downloaded(folder)) run('dpkg-deb', ['-x', file, folder]);
    rmSync(join(folder, 'apt'), { recursive: true });
    for (const link of linksBelow(folder)) leadInside(folder, link);
    writeCommands(folder);
    renameSync(folder, UNPACKED);
  } catch (error) {
    if (!existsSync(UNPACKED)) throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The packages and those of what they need that are not installed. */
function downloaded(folder: string): readonly string[] {
  const [lists, archives] = [join(folder, 'apt/lists'), join(folder, 'apt/archives')];
  for (const path of [lists, archives]) mkdirSync(join(path, 'partial'), { recursive: true });
  const own = {
    'Dir::State::lists': lists,
    'Dir::Cache': join(folder, 'apt'),
    'Dir::Cache::archives': archives,
    'Debug::NoLocking': 'true',
    'APT::Sandbox::User': '',
    'APT::Get::List-Cleanup': 'false',
  };
  const options = Object.entries(own).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  run('apt-get', [...options, '-qq', 'update']);
  const install = ['-qq', '-y', '--no-install-recommends', '--download-only', 'install'];
  run('apt-get', [...options, ...install, ...ANDROID_PACKAGES]);
  const files = readdirSync(archives).filter((name) => name.endsWith('.deb'));
  return files.map((name) => join(archives, name));
}

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

function linksBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) return [path];
    return entry.isDirectory() ? linksBelow(path) : [];
  });
}

/** Packages link to where they would be installed. */
function leadInside(folder: string, link: string): void {
  const to = readlinkSync(link);
  const inside = join(folder, to);
  // Not followed: it may be such a link itself.
  if (!to.startsWith('/') || lstatSync(inside, { throwIfNoEntry: false }) === undefined) return;
  unlinkSync(link);
  symlinkSync(relative(dirname(link), inside), link);
}

/** Commands that find their libraries, with what belongs to them where it is looked for. */
function writeCommands(folder: string): void {
  mkdirSync(join(folder, 'bin'));
  symlinkSync('usr/share', join(folder, 'share'));
  for (const path of programsIn(folder)) {
    const command = join(folder, 'bin', basename(path));
    writeFileSync(command, COMMAND.replace('PROGRAM', path));
    chmodSync(command, 0o755);
  }
}

/** Those of them that were not installed. */
function programsIn(folder: string): readonly string[] {
  const machines = join(folder, 'usr/lib/jvm');
  const javas = existsSync(machines) ? readdirSync(machines) : [];
  const all = ['usr/bin/aapt', 'usr/bin/zipalign'];
  all.push(...javas.map((name) => join('usr/lib/jvm', name, 'bin/java')));
  return all.filter((path) => existsSync(join(folder, path)));
}

const COMMAND = `#!/bin/sh
root=$(dirname "$(dirname "$0")")
for libraries in "$root"/usr/lib "$root"/usr/lib/p7zip "$root"/usr/lib/*-linux-gnu* "$root"/lib/*-linux-gnu*; do
  LD_LIBRARY_PATH="$libraries/android:$libraries:$LD_LIBRARY_PATH"
done
export LD_LIBRARY_PATH
exec "$root/PROGRAM" "$@"
`;
