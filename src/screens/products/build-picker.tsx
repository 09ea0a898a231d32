import { buildStatusOf } from '#rules/product-status.ts';
import type { Of } from '#schema/index.ts';
import { Button } from '#ui/form/controls.tsx';
import { Field } from '#ui/form/field.tsx';
import { useText } from '#ui/text/text.ts';
import { useDateFormats } from '#ui/value/values.tsx';
import { latestOf } from './builds.ts';

type Build = Of<'productBuild'>;

interface BuildPickerProps {
  /** Those that can be chosen, newest first. */
  readonly builds: readonly Build[];
  readonly chosen: Build | null;
  readonly onChoose: (build: string) => void;
  /** Brings older ones; null: there are none. */
  readonly onShowOlder: (() => void) | null;
  /** Id of what says why older ones cannot be had. */
  readonly describedBy?: string | undefined;
}

/** The number of builds that can be chosen at first, and of those that come with each click. */
export const BUILDS_AT_ONCE = 20;

/** Chooses the build whose files are shown; older ones on demand. */
export function BuildPicker({
  builds,
  chosen,
  onChoose,
  onShowOlder,
  describedBy,
}: BuildPickerProps) {
  const t = useText();
  const nameOf = useBuildName(builds);
  return (
    <div className="files-picker ui form">
      <Field label={t('files.build')}>
        {(tied) => (
          <select
            {...tied}
            aria-describedby={describedBy}
            value={chosen?.id ?? ''}
            disabled={builds.length === 0}
            onChange={(event) => {
              onChoose(event.target.value);
            }}
          >
            {builds.length === 0 && <option value="">{t('products.noBuilds')}</option>}
            {builds.map((build) => (
              <option key={build.id} value={build.id}>
                {nameOf(build)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {onShowOlder !== null && <Button onClick={onShowOlder}>{t('files.showOlder')}</Button>}
    </div>
  );
}

/** "Latest build (1.4) · Built · 2 Mar", "Build failed · 1.5 · 1 Mar": state, version and date. */
function useBuildName(builds: readonly Build[]): (build: Build) => string {
  const t = useText();
  const dates = useDateFormats();
  const latest = latestOf(builds);
  const wordsFor = (build: Build): readonly (string | null)[] => {
    const status = buildStatusOf(build);
    if (status === 'building') return [t('files.build.pending'), build.buildVersion];
    if (status === 'failed') return [t('files.build.failed'), build.buildVersion];
    const name = build.id === latest?.id ? 'files.build.latest' : 'files.build.version';
    return [t(name, { version: build.buildVersion ?? '' }), t('builds.status.built')];
  };
  return (build) => {
    const date = build.dateCreated === null ? null : dates.short(build.dateCreated);
    return [...wordsFor(build), date].filter((word) => word !== null && word !== '').join(' · ');
  };
}
