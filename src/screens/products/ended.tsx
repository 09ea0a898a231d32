import type { Of } from '#schema/index.ts';
import { CopyButton } from '#ui/form/copy-button.tsx';
import { useText } from '#ui/text/text.ts';

interface Props {
  readonly of: Pick<Of<'productBuild'>, 'success' | 'error'>;
}

/** Says how a build or a publication ended; of a failure also why. */
export function Ended({ of: { success, error } }: Props) {
  const t = useText();
  if (success === true) return t('files.status.success');
  return (
    <>
      {t('files.status.failure')}
      {error !== null && (
        <span className="caption">
          {' '}
          <bdi>{error}</bdi> <CopyButton text={error} what={t('builds.whyFailed')} />
        </span>
      )}
    </>
  );
}
