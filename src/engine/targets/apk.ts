import { createPrivateKey } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manifestXml } from '../android/manifest.ts';
import { writeResources } from '../android/resources.ts';
import { findTools, javaCommand, run } from '../android/tools.ts';
import type { Tools } from '../android/tools.ts';
import { CONTENT_LIMITS, readArchive, unpack } from '../content/archive.ts';
import { filesBelow } from '../content/files.ts';
import type { SiteFile } from '../content/files.ts';
import { BuildFailure } from '../build/failure.ts';
import type { AppIdentity } from '../build/order.ts';
import { pack } from './pack.ts';
import type { BuildTarget, BuildInput } from './target.ts';
import { builtFile, fileStem, writeOut } from './write.ts';

/** The place where the app's code looks for the site. */
const SITE = 'assets/site/';

/** The site as an Android app that can be installed, with all of it inside. */
export const apk: BuildTarget = async (work) => {
  const { order, log } = work;
  const tools = await findTools(process.env.PATH ?? '', log);
  const { identity } = order;
  if (identity === undefined)
    throw new BuildFailure('Only the app of an organization can be signed.');
  const folder = join(order.folder, 'apk');
  await mkdir(folder);
  const making: Making = { work, tools, identity, folder };
  const file = builtFile(work, 'apk', `${fileStem(work.name, order.version.name)}.apk`);
  const files = [
    ...(await described(making)),
    await code(making),
    ...work.site.files.map(({ path, from }) => ({ path: `${SITE}${path}`, from })),
  ];
  log.say(`Packing ${files.length} files into ${file.filename} as ${identity.packageName}`);
  await sign(making, await aligned(making, files), file.path);
  await rm(folder, { recursive: true });
  await writeOut(work, 'package_name.txt', `${identity.packageName}\n`);
  return [file, builtFile(work, 'package_name', 'package_name.txt')];
};

interface Making {
  readonly work: BuildInput;
  readonly tools: Tools;
  readonly identity: AppIdentity;
  /** The folder for what is needed in between. */
  readonly folder: string;
}

/** The manifest and the resources, as phones read them. */
async function described(making: Making): Promise<readonly SiteFile[]> {
  const { work, tools, identity, folder } = making;
  const at = (name: string) => join(folder, name);
  const isOnline = work.site.mayLoadMore;
  if (isOnline) work.log.say('The site brings its own pages: the app lets them use the network');
  const { packageName } = identity;
  const manifest = manifestXml({ packageName, version: work.order.version, isOnline });
  await writeFile(at('AndroidManifest.xml'), manifest);
  await writeResources(work, at('res'));
  const inputs = ['-M', at('AndroidManifest.xml'), '-S', at('res'), '-I', tools.framework];
  await run([tools.aapt, 'package', ...inputs, '-F', at('described.apk')], {
    purpose: 'Describing the app',
    folder,
    log: work.log,
  });
  await readArchive(at('described.apk'), CONTENT_LIMITS, (files, zip) =>
    unpack(zip, files, at('described')),
  );
  return filesBelow(at('described'));
}

const CODE = fileURLToPath(new URL('../android/app', import.meta.url));

async function code({ work, tools, folder }: Making): Promise<SiteFile> {
  const { smali, smaliUtil, dexlib2, antlr3, jcommander, guava } = tools;
  const jars = [smali, smaliUtil, dexlib2, antlr3, jcommander, guava];
  const from = join(folder, 'classes.dex');
  // More jobs than one add to the file in the order in which they get there.
  const assemble = ['assemble', '--jobs', '1', '--api', '21', '--output', from, CODE];
  await run([...javaCommand(tools, jars, 'org.jf.smali.Main'), ...assemble], {
    purpose: 'Assembling the app’s code',
    folder,
    log: work.log,
  });
  return { path: 'classes.dex', from };
}

/** Everything in one file, laid out so that phones can read it where it is. */
async function aligned(making: Making, files: readonly SiteFile[]): Promise<string> {
  const { work, tools, folder } = making;
  const [packed, path] = [join(folder, 'packed.apk'), join(folder, 'aligned.apk')];
  await pack(packed, files, work.order.at);
  await run([tools.zipalign, '-p', '4', packed, path], {
    purpose: 'Laying out the app',
    folder,
    log: work.log,
  });
  await rm(packed);
  return path;
}

async function sign({ work, tools, identity, folder }: Making, from: string, to: string) {
  const certificate = join(folder, 'certificate.pem');
  await writeFile(certificate, identity.certificate);
  const signer = ['--key', '/dev/stdin', '--cert', certificate, '--v1-signer-name', 'APP'];
  // The fourth scheme makes a second file, for developers' cables.
  const manner = ['--v4-signing-enabled', 'false', '--in', from, '--out', to];
  const main = 'com.android.apksigner.ApkSignerTool';
  await run([...javaCommand(tools, [tools.apksigner], main), 'sign', ...signer, ...manner], {
    purpose: 'Signing the app',
    folder,
    log: work.log,
    input: createPrivateKey(identity.privateKey).export({ type: 'pkcs8', format: 'der' }),
  });
}
