import { useEffect, useId } from 'react';
import { jobListsFrom, jobPaths } from '#protocol/jobs.ts';
import { PageHead } from '#ui/page/page-head.tsx';
import { EmptyBox, ErrorBox, NeedsConnection, Skeleton } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { useProblemText } from '../../app/page/changes/problem-text.ts';
import { useOnlineQuery } from '../../app/page/device/use-online-query.ts';
import { usePageTitle } from '../../app/page/page-title.ts';
import { AdminSettings } from '../settings/settings.tsx';
import { FailedJobs, WaitingJobs } from './job-tables.tsx';
import { useRunAgain } from './use-run-again.ts';
import './jobs.css';

const REFRESH_EVERY_MS = 10_000;

/** `/admin/jobs`: what the server does by itself, what of it failed, and why. */
export function JobsPage() {
  const t = useText();
  usePageTitle(t('admin.jobs.title'));
  return (
    <AdminSettings>
      <PageHead title={t('admin.jobs.title')} context={t('admin.jobs.about')} />
      <Jobs />
    </AdminSettings>
  );
}

function Jobs() {
  const t = useText();
  const reasonOf = useProblemText();
  const offline = useId();
  const { known, isOffline, refresh, tryAgain } = useOnlineQuery(jobPaths.list, jobListsFrom);
  const runAgain = useRunAgain(refresh);
  useRefreshing(refresh, !isOffline && known.is === 'told');
  switch (known.is) {
    case 'coming':
      return <Skeleton rows={8} />;
    case 'offline':
      return (
        <EmptyBox icon="cloudOff" title={t('admin.jobs.offline')}>
          {t('admin.audit.offlineText')}
        </EmptyBox>
      );
    case 'no-answer':
      return (
        <ErrorBox title={t('admin.jobs.noAnswer')} onTryAgain={tryAgain}>
          {t('admin.jobs.noAnswerText')}
        </ErrorBox>
      );
    case 'refused':
      return (
        <ErrorBox title={t('admin.jobs.noAnswer')} onTryAgain={tryAgain}>
          {reasonOf(known.problem)}
        </ErrorBox>
      );
    case 'told':
      return (
        <div className="stack jobs-lists">
          {isOffline && <NeedsConnection id={offline} />}
          <FailedJobs
            part={known.value.failed}
            runAgain={runAgain}
            needsConnection={isOffline ? offline : undefined}
          />
          <WaitingJobs part={known.value.waiting} />
        </div>
      );
  }
}

/** Calls `refresh` now and then, for as long as `isOn`. */
function useRefreshing(refresh: () => void, isOn: boolean): void {
  const { later } = useUiEnvironment();
  useEffect(() => {
    if (!isOn) return undefined;
    let callOff: () => void = () => undefined;
    const wait = () => {
      callOff = later(() => {
        // Nobody looks at a page in the background.
        if (document.visibilityState === 'visible') refresh();
        wait();
      }, REFRESH_EVERY_MS);
    };
    wait();
    return () => {
      callOff();
    };
  }, [later, refresh, isOn]);
}
