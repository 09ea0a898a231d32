import { Link } from 'react-router-dom';
import { jobNames, jobTroubles } from '#protocol/jobs.ts';
import type { JobPart, JobSummary } from '#protocol/jobs.ts';
import { Button } from '#ui/form/controls.tsx';
import { EmptyBox } from '#ui/status/boxes.tsx';
import { CardTable } from '#ui/table/card-table.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useText } from '#ui/text/text.ts';
import type { TextKey } from '#ui/text/text.ts';
import { Hint, RelativeTime, useDateFormats } from '#ui/value/values.tsx';
import type { RunAgain } from './use-run-again.ts';

interface FailedProps {
  readonly part: JobPart;
  readonly runAgain: RunAgain;
  /** Id of what says that nothing can be run; undefined while there is a connection. */
  readonly needsConnection: string | undefined;
}

/** The jobs whose last attempt failed, with why; each can be tried at once. */
export function FailedJobs({ part, runAgain, needsConnection }: FailedProps) {
  const t = useText();
  const nameOf = useJobName();
  return (
    <section>
      <Head title="admin.jobs.failed" part={part} />
      {part.jobs.length === 0 ? (
        <EmptyBox icon="check" title={t('admin.jobs.noneFailed')}>
          {t('admin.jobs.noneFailedText')}
        </EmptyBox>
      ) : (
        <CardTable
          label={t('admin.jobs.failed')}
          className="jobs-table"
          columns={[
            'admin.jobs.what',
            'admin.jobs.why',
            'admin.jobs.when',
            'admin.jobs.attempts',
            'admin.jobs.next',
            'admin.jobs.act',
          ]}
        >
          {part.jobs.map((job) => (
            <tr role="row" key={job.id}>
              <Cell label={t('admin.jobs.what')}>
                <What job={job} />
              </Cell>
              <Cell label={t('admin.jobs.why')}>
                <Why job={job} />
              </Cell>
              <Cell label={t('admin.jobs.when')}>
                <RelativeTime at={job.failedAt} />
              </Cell>
              <Cell label={t('admin.jobs.attempts')}>{job.failures}</Cell>
              <Cell label={t('admin.jobs.next')}>
                <Due job={job} />
              </Cell>
              <Cell label={t('admin.jobs.act')}>
                <Button
                  aria-label={t('admin.jobs.runAgainNamed', { job: nameOf(job) })}
                  aria-describedby={needsConnection}
                  disabled={
                    needsConnection !== undefined || job.isRunning || runAgain.asked.has(job.id)
                  }
                  loading={runAgain.asked.has(job.id)}
                  onClick={() => void runAgain.run(job.id)}
                >
                  {t('admin.jobs.runAgain')}
                </Button>
              </Cell>
            </tr>
          ))}
        </CardTable>
      )}
    </section>
  );
}

/** The jobs that wait for their time, and those that run. */
export function WaitingJobs({ part }: { readonly part: JobPart }) {
  const t = useText();
  return (
    <section>
      <Head title="admin.jobs.waiting" part={part} />
      {part.jobs.length === 0 ? (
        <EmptyBox icon="clock" title={t('admin.jobs.noneWaiting')}>
          {t('admin.jobs.noneWaitingText')}
        </EmptyBox>
      ) : (
        <CardTable
          label={t('admin.jobs.waiting')}
          className="jobs-table"
          columns={['admin.jobs.what', 'admin.jobs.due']}
        >
          {part.jobs.map((job) => (
            <tr role="row" key={job.id}>
              <Cell label={t('admin.jobs.what')}>
                <What job={job} />
              </Cell>
              <Cell label={t('admin.jobs.due')}>
                <Due job={job} />
              </Cell>
            </tr>
          ))}
        </CardTable>
      )}
    </section>
  );
}

interface HeadProps {
  readonly title: TextKey;
  readonly part: JobPart;
}

function Head({ title, part: { jobs, total } }: HeadProps) {
  const t = useText();
  return (
    <>
      <h2>
        {t(title)} <span className="title-count">{total}</span>
      </h2>
      {jobs.length < total && (
        <p className="soft">{t('admin.jobs.part', { shown: jobs.length, total })}</p>
      )}
    </>
  );
}

interface JobProps {
  readonly job: JobSummary;
}

/** Names a job in plain words; one of another version of the server by its own name. */
function useJobName(): (job: JobSummary) => string {
  const t = useText();
  return ({ name }) => {
    const known = jobNames.find((one) => one === name);
    return known === undefined ? name : t(`admin.jobs.names.${known}`);
  };
}

const PLACES: Readonly<
  Record<string, { readonly says: TextKey; readonly to: (id: string) => string }>
> = {
  projects: { says: 'admin.jobs.openProject', to: (id) => `/projects/${id}` },
  products: { says: 'admin.jobs.openProduct', to: (id) => `/admin/workflows/${id}` },
  users: { says: 'admin.jobs.openPerson', to: (id) => `/users/${id}` },
};

function What({ job }: JobProps) {
  const t = useText();
  const nameOf = useJobName();
  const { subject } = job;
  const place =
    subject !== null && Object.hasOwn(PLACES, subject.type) ? PLACES[subject.type] : undefined;
  return (
    <span className="jobs-what">
      {nameOf(job)}
      {subject !== null && place !== undefined && (
        <Link to={place.to(subject.id)}>{t(place.says)}</Link>
      )}
    </span>
  );
}

function Why({ job: { trouble } }: JobProps) {
  const t = useText();
  const known = jobTroubles.find((one) => one === trouble);
  return known === undefined ? (
    <span className="soft">{t('admin.jobs.unknownWhy')}</span>
  ) : (
    t(`admin.jobs.troubles.${known}`)
  );
}

/** When it is tried next. */
function Due({ job: { isRunning, dueAt } }: JobProps) {
  const t = useText();
  const dates = useDateFormats();
  if (isRunning) return t('admin.jobs.running');
  return (
    <Hint text={dates.full(dueAt)}>
      <time dateTime={dueAt}>{dates.short(dueAt)}</time>
    </Hint>
  );
}
