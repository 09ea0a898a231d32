import { useCallback, useEffect, useMemo, useState } from 'react';
import { compareFolded, fold } from '#base/unicode.ts';
import { limits } from '#protocol/limits.ts';
import { paths } from '#protocol/paths.ts';
import { SearchField } from '#ui/form/controls.tsx';
import { NotOnDevice, Skeleton } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { FocusPage } from '../app/page/focus-page.tsx';
import './open-source.css';

/** A package as the build lists it (`LicensePlugin` in webpack.config.ts). */
interface Package {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  /** As in its package.json: `Name <mail> (address)`. */
  readonly author?: string;
  readonly repository?: string;
  readonly licenseText?: string | null;
}

const SEARCH_FROM = 20;

/** `/open-source`: the packages that the product is made of, by licence (screens 4). */
export function OpenSource() {
  const t = useText();
  const { packages, isMissing, load } = usePackages();
  const [words, setWords] = useState('');
  const groups = useMemo(() => groupsOf(packages ?? [], words), [packages, words]);
  return (
    <FocusPage title={t('openSource.title')} isWide>
      <p className="soft">{t('openSource.text')}</p>
      {packages === null && !isMissing && <Skeleton rows={6} />}
      {isMissing && <NotOnDevice onTryAgain={load} />}
      {(packages?.length ?? 0) >= SEARCH_FROM && (
        <SearchField
          label={t('openSource.search')}
          value={words}
          waitMs={limits.searchDebounceMs}
          onSearch={setWords}
        />
      )}
      <div role="status">
        {packages !== null && groups.length === 0 && <p>{t('common.noResults')}</p>}
      </div>
      {groups.map(([license, members], index) => (
        <section key={license} className="license-group" aria-labelledby={`license-${index}`}>
          <h2 id={`license-${index}`}>
            {t('openSource.group', { license, number: members.length })}
          </h2>
          <ul className="package-list">
            {members.map((member) => (
              <li key={`${member.name}@${member.version}`}>
                <PackageEntry {...member} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </FocusPage>
  );
}

function PackageEntry({ name, version, author, repository, licenseText }: Package) {
  const t = useText();
  const address = webAddressOf(repository);
  const by = nameOf(author);
  return (
    <>
      <div>
        {address === null ? (
          <strong>{name}</strong>
        ) : (
          <a href={address} target="_blank" rel="noreferrer">
            {name}
          </a>
        )}
      </div>
      <div className="caption">
        {version} {by !== '' && t('openSource.by', { author: by })}
      </div>
      {(licenseText ?? '') !== '' && (
        <details>
          <summary aria-label={`${t('openSource.licenseText')}: ${name}`}>
            {t('openSource.licenseText')}
          </summary>
          <pre tabIndex={0}>{licenseText}</pre>
        </details>
      )}
    </>
  );
}

interface LoadedPackages {
  /** Null until they are here. */
  readonly packages: readonly Package[] | null;
  /** They are neither on this device nor to be had. */
  readonly isMissing: boolean;
  readonly load: () => void;
}

function usePackages(): LoadedPackages {
  const { load: loadFile } = useUiEnvironment();
  const [packages, setPackages] = useState<readonly Package[] | null>(null);
  const [isMissing, setMissing] = useState(false);
  const load = useCallback(() => {
    loadFile(paths.openSource).then(
      (list) => {
        setMissing(false);
        setPackages(list as readonly Package[]);
      },
      () => {
        setMissing(true);
      },
    );
  }, [loadFile]);
  useEffect(load, [load]);
  return { packages, isMissing, load };
}

/** The licences with the packages in whose name, author or licence the words are; most first. */
function groupsOf(
  packages: readonly Package[],
  words: string,
): (readonly [license: string, members: readonly Package[]])[] {
  const wanted = fold(words);
  const groups = new Map<string, Package[]>();
  for (const one of packages) {
    const { name, author = '', license } = one;
    if (![name, author, license].some((text) => fold(text).includes(wanted))) continue;
    groups.set(license, [...(groups.get(license) ?? []), one]);
  }
  return [...groups].sort(
    ([a, { length: ofA }], [b, { length: ofB }]) => ofB - ofA || compareFolded(fold(a), fold(b)),
  );
}

/** The name alone, without an address to write to. */
function nameOf(author = ''): string {
  return author.replace(/[<(].*/, '').trim();
}

/** The page of a repository as npm writes it: `owner/name`, `git+https://…`, `git+ssh://git@…`. */
function webAddressOf(repository = ''): string | null {
  const path = repository.replace(/^git\+/, '').replace(/\.git$/, '');
  if (/^[\w.-]+\/[\w.-]+$/.test(path)) return `https://github.com/${path}`;
  const address = path.replace(/^(git|ssh|http):\/\/(git@)?/, 'https://');
  return address.startsWith('https://') ? address : null;
}
