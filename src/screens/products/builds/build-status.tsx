import { buildStatusOf } from '#rules/product-status.ts';
import type { BuildStatusWord } from '#rules/product-status.ts';
import type { Of } from '#schema/index.ts';
import { CopyButton } from '#ui/form/copy-button.tsx';
import { StatusChip } from '#ui/status/status-chip.tsx';
import type { StatusTone } from '#ui/status/status-chip.tsx';
import { useText } from '#ui/text/text.ts';
import { Phase } from '../../flow/whats-on.tsx';
import './build-status.css';

interface Props {
  readonly build: Of<'productBuild'>;
}

const TONES: Readonly<Record<BuildStatusWord, StatusTone>> = {
  building: 'busy',
  failed: 'bad',
  built: 'good',
};

/** Says how a build stands: of one under way also how far it is, of a failed one why. */
export function BuildStatus({ build }: Props) {
  const t = useText();
  const status = buildStatusOf(build);
  return (
    <div className="build-status">
      <StatusChip tone={TONES[status]}>{t(`builds.status.${status}`)}</StatusChip>
      {status === 'building' && <Phase phase={build.phase} ahead={build.queuePosition} />}
      {status === 'failed' && build.error !== null && (
        <span className="caption">
          <bdi>{build.error}</bdi> <CopyButton text={build.error} what={t('builds.whyFailed')} />
        </span>
      )}
    </div>
  );
}
