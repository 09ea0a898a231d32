import type { Services } from '../../services.ts';
import { sql } from 'kysely';
import type { Of } from '#schema/index.ts';
import type { DatabaseTransaction, WriteTransaction } from '../../../db/database.ts';
import { evaluateRule } from '../../../db/evaluate-rule.ts';
import type { WriteContext } from '../../write-context.ts';
import type { JobData } from '../../../db/jobs/job-data.ts';
import type { JobAttempt } from '../../../db/jobs/jobs.ts';
import { notify } from '../../notifications/notify.ts';
import type { MessageId } from '../../notifications/message-id.ts';
import { actorsOf } from '../../workflow/actors.ts';
import { engineJobStateOf } from '#protocol/engine.ts';
import type { EngineError, EngineProject } from '#protocol/engine.ts';
import { engineOf } from './engine-of.ts';
import { tryCall, retryJob, runWrite } from './retry-job.ts';

const DAY_MS = 86_400_000;

/** Lets the organization's engine make the repository of a project (domain 8.2). */
export async function setUpProject(
  services: Services,
  { project: id, wasDoubtful = false }: JobData['set-up-project'],
  attempt: JobAttempt,
): Promise<void> {
  const setup = await services.db.read((tx) => projectRequestOf(tx, id));
  if (setup === null) return;
  const { project, appId, engineId } = setup;
  const { engine, pollEveryMs } = await engineOf(services, project.organization);

  const called = await tryCall(async () => {
    if (engineId !== null) return engine.project(engineId);
    const { name: projectName, language: languageCode } = project;
    return engine.createProject({ appId, projectName, languageCode });
  });
  if (called.is === 'failed') {
    await retryJob(services, attempt, called.error, (context) =>
      notifyUnable(context, project, called.error),
    );
    return;
  }
  await runWrite(services, async (context) => {
    await recordProject(context, project, called.answer, { attempt, pollEveryMs, wasDoubtful });
  });
}

async function projectRequestOf(tx: DatabaseTransaction, id: string) {
  const project = await tx.one('project', id);
  if (project?.workflowProjectUrl !== null) return null;
  const type = await tx.one('applicationType', project.type);
  const [row] = await tx.query(
    sql<{ readonly engine_id: number }>`select engine_id from project_repositories
      where project_id = ${id}`,
  );
  return { project, appId: type?.name ?? '', engineId: row?.engine_id ?? null };
}

interface Means {
  readonly attempt: JobAttempt;
  readonly pollEveryMs: number;
  /** True when the poll before this one could not tell the status. */
  readonly wasDoubtful: boolean;
}

async function recordProject(
  context: WriteContext,
  { id }: Of<'project'>,
  answer: EngineProject,
  { attempt, pollEveryMs, wasDoubtful }: Means,
): Promise<void> {
  const { write } = context;
  const project = await write.one('project', id);
  if (project === null) return;
  await saveRepository(write, id, answer);
  const outcome = engineJobStateOf(answer, wasDoubtful);
  if (outcome.is === 'succeeded' && answer.url !== null) {
    await notifyPeopleOf(context, project, 'projectCreatedSuccessfully', [project.owner]);
    await attempt.complete(write);
    return;
  }
  const isWaiting = outcome.is === 'under way' || outcome.is === 'doubtful';
  if (isWaiting) {
    // A poll is no failure: only failures are counted.
    const next = { project: id, wasDoubtful: outcome.is === 'doubtful' };
    await attempt.complete(write);
    await context.services.jobs.enqueue(
      write,
      { name: 'set-up-project', data: next },
      { key: id, afterMs: pollEveryMs },
    );
    return;
  }
  await write.query(sql`delete from project_repositories where project_id = ${id}`);
  const values = { projectStatus: answer.status, projectError: answer.error ?? answer.status };
  const { OrgAdmin: admins } = await evaluateRule(write, (find) => actorsOf(project, find));
  const others = admins.filter((user) => user !== project.owner);
  await notifyPeopleOf(context, project, 'projectCreationFailedOwner', [project.owner], values);
  await notifyPeopleOf(context, project, 'projectCreationFailedAdmin', others, values);
  await attempt.retry(write, DAY_MS, 'engine-failed');
}

/** Stores the id of the engine's project, and its address once it is made. */
export async function saveRepository(
  write: WriteTransaction,
  id: string,
  answer: EngineProject,
): Promise<void> {
  // A later request uses its number, so it is never made twice.
  await write.query(sql`insert into project_repositories (project_id, engine_id)
    values (${id}, ${answer.id}) on conflict (project_id) do nothing`);
  if (engineJobStateOf(answer, false).is !== 'succeeded' || answer.url === null) return;
  await write.change('project', id, { workflowProjectUrl: answer.url, location: answer.url });
}

/** Notifies people and goes on trying. */
async function notifyUnable(
  context: WriteContext,
  project: Of<'project'>,
  { because }: EngineError,
) {
  const { OrgAdmin: admins } = await evaluateRule(context.write, (find) => actorsOf(project, find));
  const id =
    because === 'no-usable-answer' ? 'projectFailedUnableToCreate' : 'projectFailedBuildEngine';
  await notifyPeopleOf(context, project, id, [...admins, project.owner]);
  return false;
}

async function notifyPeopleOf(
  context: WriteContext,
  { id: projectId, name: projectName, organization, dateArchived }: Of<'project'>,
  id: MessageId,
  people: readonly (string | null)[],
  values: Readonly<Record<string, string>> = {},
): Promise<void> {
  if (dateArchived !== null) return;
  const linkUrl = `/projects/${projectId}`;
  for (const user of new Set(people)) {
    const all = { projectName, ...values };
    await notify(context, user, { id, organization, values: all, linkUrl });
  }
}
