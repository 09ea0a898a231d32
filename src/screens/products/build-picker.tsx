import { useState } from 'react';
import type { Of } from '#schema/index.ts';
import { Button } from '#ui/form/controls.tsx';
import { Field } from '#ui/form/field.tsx';
import { useText } from '#ui/text/text.ts';
import { useDateFormats } from '#ui/value/values.tsx';
import { latestOf } from './builds.ts';

type Build = Of<'productBuild'>;

interface BuildPickerProps {
  /** Newest first. */
  readonly builds: readonly Build[];
  readonly chosen: Build | null;
  readonly onChoose: (build: string) => void;
}

const AT_FIRST = 20;

/** Chooses the build whose files are shown; older ones on demand. */
export function BuildPicker({ builds, chosen, onChoose }: BuildPickerProps) {
  const t = useText();
  const nameOf = useBuildName(builds);
  const [isAll, setAll] = useState(false);
  const isOld = chosen !== null && builds.indexOf(chosen) >= AT_FIRST;
  const shown = isAll || isOld ? builds : builds.slice(0, AT_FIRST);
  return (
    <div className="files-picker ui form">
      <Field label={t('files.build')}>
        {(tied) => (
          <select
            {...tied}
            value={chosen?.id ?? ''}
            disabled={builds.length === 0}
            onChange={(event) => {
              onChoose(event.target.value);
            }}
          >
            {builds.length === 0 && <option value="">{t('products.noBuilds')}</option>}
            {shown.map((build) => (
              <option key={build.id} value={build.id}>
                {nameOf(build)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {shown.length < builds.length && (
        <Button
          onClick={() => {
            setAll(true);
          }}
        >
          {t('files.showOlder')}
        </Button>
      )}
    </div>
  );
}

/** "Latest build (1.4)", "Build 1.3"; those that came to nothing by when they began. */
function useBuildName(builds: readonly Build[]): (build: Build) => string {
  const t = useText();
  const dates = useDateFormats();
  const latest = latestOf(builds);
  return (build) => {
    const version = build.buildVersion ?? '';
    if (build.id === latest?.id) return t('files.build.latest', { version });
    if (build.success === true) return t('files.build.version', { version });
    const state = t(build.success === null ? 'files.build.pending' : 'files.build.failed');
    return build.dateCreated === null ? state : `${state} · ${dates.short(build.dateCreated)}`;
  };
}
