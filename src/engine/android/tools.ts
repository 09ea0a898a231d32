import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { BuildFailure } from '../build/failure.ts';
import type { Log } from '../build/log.ts';

/**
 * The places where Debian has the programs that make Android apps, seen from a folder of programs,
 * and their packages.
 */
const PARTS = {
  java: ['java', 'default-jre-headless'],
  aapt: ['aapt', 'aapt'],
  zipalign: ['zipalign', 'zipalign'],
  framework: ['../share/android-framework-res/framework-res.apk', 'android-framework-res'],
  apksigner: ['../share/java/apksigner.jar', 'apksigner'],
  smali: ['../share/java/smali.jar', 'libsmali-java'],
  smaliUtil: ['../share/java/smali-util.jar', 'libsmali-java'],
  dexlib2: ['../share/java/dexlib2.jar', 'libsmali-java'],
  antlr3: ['../share/java/antlr3-runtime.jar', 'libsmali-java'],
  jcommander: ['../share/java/jcommander.jar', 'libsmali-java'],
  guava: ['../share/java/guava.jar', 'libsmali-java'],
} as const;

type Part = keyof typeof PARTS;

/** Paths of everything that an Android app is made with. */
export type Tools = Readonly<Record<Part, string>>;

/** Debian's packages that have them all. */
export const ANDROID_PACKAGES: readonly string[] = [
  ...new Set(Object.values(PARTS).map(([, from]) => from)),
];

/** Looks in and beside the folders of `searchPath`. @throws BuildFailure when something is missing */
export async function findTools(searchPath: string, log: Log): Promise<Tools> {
  const folders = searchPath.split(':').filter((folder) => folder !== '');
  const found = await Promise.all(
    Object.entries(PARTS).map(async ([part, [at]]) => [part, await firstOf(folders, at)] as const),
  );
  const missing = new Set(
    found.flatMap(([part, path]) => (path === null ? [PARTS[part as Part][1]] : [])),
  );
  if (missing.size === 0) return Object.fromEntries(found) as unknown as Tools;
  log.say('The target apk needs tools for Android that are not installed on this server.');
  log.say(`On Debian, install them with: apt install ${[...missing].join(' ')}`);
  throw new BuildFailure('Android build tools are missing on the server; the log names them.');
}

async function firstOf(folders: readonly string[], at: string): Promise<string | null> {
  const mode = at.startsWith('..') ? constants.R_OK : constants.X_OK;
  for (const folder of folders) {
    const path = join(folder, at);
    const isThere = await access(path, mode).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return null;
}

/** The heap is small, so that its share of the build's memory is: files pass through in parts. */
const JAVA_OPTIONS = [
  '-Xmx256m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-XX:-UsePerfData',
];

/** A command that runs the class `main` of `jars`. */
export const javaCommand = (
  { java }: Tools,
  jars: readonly string[],
  main: string,
): readonly string[] => [java, ...JAVA_OPTIONS, '-cp', jars.join(':'), main];

interface Manner {
  /** The purpose of `command`, as people read it when it fails. */
  readonly purpose: string;
  /** Its own: neither the server's folders nor anything secret comes from it into the log. */
  readonly folder: string;
  readonly log: Log;
  /**
   * The bytes that it may read at `/dev/stdin`, which is a pipe: nothing of it is ever on a disk.
   */
  readonly input?: Buffer;
}

/** Node's own pipes are sockets, which cannot be opened by their name. */
const PIPED = ['/bin/sh', '-c', 'cat | "$0" "$@"'];
const MOST_BYTES = 8 * 1024;
const MOST_LINES = 20;

/** Runs `command` to its end. @throws BuildFailure when it fails; the log has what it said */
export async function run(command: readonly string[], manner: Manner): Promise<void> {
  const { purpose, folder, log, input } = manner;
  const [program = '', ...args] = input === undefined ? command : [...PIPED, ...command];
  const child = spawn(program, args, {
    cwd: folder,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8', TZ: 'UTC' },
  });
  let said = '';
  const hear = (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-MOST_BYTES);
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  // A process that ends before it has read everything is reported by its end.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  const end = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, by) => {
      resolve(by ?? String(code));
    });
  });
  if (end === '0') return;
  const lines = said.replaceAll(folder, '').split('\n').filter(Boolean);
  for (const line of lines.slice(-MOST_LINES)) log.say(line);
  throw new BuildFailure(`${purpose} failed (${end}); the log has what was said about it.`);
}
