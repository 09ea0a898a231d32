import { isObject } from '#base/is-object.ts';
import { parseJson } from '#base/json.ts';
import type { Artifacts, BuildEngine } from '#protocol/engine.ts';

/** The facts that are read from the files of a build or a release (domain 11.4). */
export interface ArtifactFacts {
  readonly files: readonly ArtifactFile[];
  readonly version: string | null;
  readonly versionCode: string | null;
  /** The package name of the app in the store, such as `org.lakeside.harvest`. */
  readonly packageName: string | null;
  /** The language of the store listing, such as `es-419`. */
  readonly defaultLanguage: string | null;
  /** The address at which people find what was published. */
  readonly publishLink: string | null;
}

interface ArtifactFile {
  readonly type: string;
  /** The address as the engine gave it; it is not for people. */
  readonly url: string;
  readonly filename: string;
  readonly contentType: string | null;
  readonly sizeBytes: number | null;
  readonly updated: string | null;
}

type Files = Pick<BuildEngine, 'head' | 'text'>;

/**
 * Reads the small files and asks for the metadata of each. A missing file gives null and is no
 * failure.
 */
export async function readArtifacts(engine: Files, artifacts: Artifacts): Promise<ArtifactFacts> {
  const read = async (type: string): Promise<string | null> => {
    const url = artifacts[type];
    return url === undefined ? null : engine.text(url);
  };
  const isFile = ([type]: readonly [string, string]) => type !== 'publishUrl';
  const [files, version, code, packageName, manifest, link] = await Promise.all([
    Promise.all(
      Object.entries(artifacts)
        .filter(isFile)
        .map((each) => fileOf(engine, each)),
    ),
    read('version'),
    read('version_code'),
    read('package_name'),
    read('play-listing-manifest'),
    read('publishUrl'),
  ]);
  const versions = version === null ? null : valuesIn(version);
  const language = manifest === null ? null : valuesIn(manifest)?.['default-language'];
  return {
    files,
    version: versions === null ? lineIn(version) : lineIn(versions.version),
    versionCode: lineIn(versions?.versionCode) ?? lineIn(code),
    packageName: packageNameIn(packageName),
    defaultLanguage: lineIn(language),
    publishLink: linkIn(link) ?? linkIn(artifacts.publishUrl),
  };
}

async function fileOf(
  engine: Files,
  [type, url]: readonly [string, string],
): Promise<ArtifactFile> {
  const head = await engine.head(url);
  return {
    type,
    url,
    filename: filenameOf(url) ?? type,
    contentType: head?.contentType ?? null,
    sizeBytes: head?.sizeBytes ?? null,
    updated: head?.updated ?? null,
  };
}

/** Returns the last part of the address's path; null when it has none. */
function filenameOf(url: string): string | null {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return lineIn(decodeURIComponent(last));
  } catch {
    return lineIn(last);
  }
}

function valuesIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value = parseJson(text.trim());
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const LONGEST_LINE = 250;

/** Returns the first line of the text; null when it is empty. */
function lineIn(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  // `trim` also removes a byte order mark, which some editors write.
  const [first = ''] = value.trim().split(/\p{Cc}/u);
  const line = first.trim().slice(0, LONGEST_LINE);
  return line === '' ? null : line;
}

/**
 * Returns a text that systems may know an app by. Anything else would be a lookalike of another
 * organization's name, or nothing that an address could have.
 */
function packageNameIn(text: string | null): string | null {
  const line = lineIn(text);
  return line !== null && /^[\w.-]+$/.test(line) ? line : null;
}

const LONGEST_LINK = 2_000;

/** Returns a text that is one address of the web and nothing else. */
function linkIn(text: string | null | undefined): string | null {
  const link = text?.trim() ?? '';
  const isLink = /^https?:\/\/\S+$/i.test(link) && URL.canParse(link);
  return isLink && link.length <= LONGEST_LINK ? link : null;
}
