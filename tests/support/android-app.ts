import { execFileSync } from 'node:child_process';
import { findTools } from '#engine/android/tools.ts';
import { filesOfZip } from './zips.ts';

/** What a phone reads of an Android app. */
export interface AndroidApp {
  readonly packageName: string;
  readonly versionCode: number;
  readonly versionName: string;
  /** The first Android it can be installed on, and the one it is made for, by their numbers. */
  readonly sdk: readonly [least: number, target: number];
  /** By language; the one for all others has the empty tag. */
  readonly names: Readonly<Record<string, string>>;
  readonly permissions: readonly string[];
  readonly activity: string;
  /** SHA-256 of the only certificate, in hexadecimal. */
  readonly certificate: string;
  /** Which forms of signature hold. */
  readonly schemes: readonly string[];
  readonly files: ReadonlyMap<string, Buffer>;
}

/** The app at `path`, as Android's own tools see it. @throws Error when its signature is not good */
export async function androidAppAt(path: string): Promise<AndroidApp> {
  const { aapt, java, apksigner } = await findTools(process.env.PATH ?? '', {
    say: () => undefined,
    phase: () => undefined,
    remark: () => undefined,
  });
  const said = (command: string, ...args: readonly string[]) =>
    execFileSync(command, [...args, path], { encoding: 'utf8' });
  const badging = said(aapt, 'dump', 'badging');
  const signing = said(java, '-jar', apksigner, 'verify', '-v', '--print-certs');
  const one = (pattern: RegExp, text = badging) => pattern.exec(text)?.[1] ?? '';
  const all = (pattern: RegExp, text = badging) =>
    [...text.matchAll(pattern)].map(([, it = '']) => it);
  const names = [...badging.matchAll(/^application-label(?:-([\w-]+))?:'(.*)'$/gm)];
  return {
    packageName: one(/^package: name='([^']+)'/m),
    versionCode: Number(one(/ versionCode='(\d+)'/)),
    versionName: one(/ versionName='([^']+)'/),
    sdk: [Number(one(/^sdkVersion:'(\d+)'/m)), Number(one(/^targetSdkVersion:'(\d+)'/m))],
    names: Object.fromEntries(
      names.map(([, tag = '', name = '']) => [tag, name.replace(/\\(.)/g, '$1')]),
    ),
    permissions: all(/^uses-permission: name='([^']+)'/gm),
    activity: one(/^launchable-activity: name='([^']+)'/m),
    certificate: one(/^Signer #1 certificate SHA-256 digest: (\w+)$/m, signing),
    schemes: all(/^Verified using (v\d) scheme .*: true$/gm, signing),
    files: await filesOfZip(path),
  };
}

const SITE = 'assets/site/';

/** The site inside, by the paths it has there. */
export const siteOf = ({ files }: AndroidApp): ReadonlyMap<string, Buffer> =>
  new Map(
    [...files].flatMap(([path, bytes]) =>
      path.startsWith(SITE) ? [[path.slice(SITE.length), bytes] as const] : [],
    ),
  );
