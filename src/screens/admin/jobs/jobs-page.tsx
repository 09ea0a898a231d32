import { useId } from 'react';
import { jobListsFrom, jobPaths } from '#protocol/jobs.ts';
import { PageHead } from '#ui/page/page-head.tsx';
import { NeedsConnection } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { useOnlineQuery } from '../../app/page/device/use-online-query.ts';
import { useRefreshing } from '../../app/page/device/use-refreshing.ts';
import { WithoutAnswer } from '../../app/page/device/without-answer.tsx';
import { usePageTitle } from '../../app/page/page-title.ts';
import { AdminSettings } from '../settings/settings.tsx';
import { FailedJobs, WaitingJobs } from './job-tables.tsx';
import { useRunAgain } from './use-run-again.ts';
import './jobs.css';

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
  const offline = useId();
  const query = useOnlineQuery(jobPaths.list, jobListsFrom);
  const { known, isOffline, refresh } = query;
  const runAgain = useRunAgain(refresh);
  useRefreshing(query);
  if (known.is !== 'told')
    return (
      <WithoutAnswer
        query={query}
        rows={8}
        offline={t('admin.jobs.offline')}
        noAnswer={t('admin.jobs.noAnswer')}
        noAnswerText={t('admin.jobs.noAnswerText')}
      />
    );
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
