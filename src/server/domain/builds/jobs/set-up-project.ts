import type { Parts } from '../../parts.ts';
import { sql } from 'kysely';
import type { Of } from '#schema/index.ts';
import type { Tx, Write } from '../../../db/database.ts';
import { settle } from '../../../db/settle.ts';
import type { Doing } from '../../doing.ts';
import type { JobData } from '../../../db/jobs/job-data.ts';
import type { Attempt } from '../../../db/jobs/jobs.ts';
import { notify } from '../../notifications/notify.ts';
import type { MessageId } from '../../notifications/notify.ts';
import { actorsOf } from '../../workflow/actors.ts';
import { outcomeOf } from '#protocol/engine.ts';
import type { EngineError, EngineProject } from '#protocol/engine.ts';
import { engineOf } from './engine-of.ts';
import { called, tryAgain, writing } from './failing.ts';

const DAY_MS = 86_400_000;

/** Has the organization's engine make the repository of a project (domain 8.2). */
export async function setUpProject(
  parts: Parts,
  { project: id, wasDoubtful = false }: JobData['set-up-project'],
  attempt: Attempt,
): Promise<void> {
  const asked = await parts.db.read((tx) => askedOf(tx, id));
  if (asked === null) return;
  const { project, appId, engineId } = asked;
  const { engine, pollEveryMs } = await engineOf(parts, project.organization);

  const heard = await called(async () => {
    if (engineId !== null) return engine.project(engineId);
    const { name: projectName, language: languageCode } = project;
    return engine.createProject({ appId, projectName, languageCode });
  });
  if (heard.is === 'failed') {
    await tryAgain(parts, attempt, (doing) => tellUnable(doing, project, heard.error));
    return;
  }
  await writing(parts, async (doing) => {
    await hear(doing, project, heard.answer, { attempt, pollEveryMs, wasDoubtful });
  });
}

async function askedOf(tx: Tx, id: string) {
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
  readonly attempt: Attempt;
  readonly pollEveryMs: number;
  /** The look before this one could not tell how it stands. */
  readonly wasDoubtful: boolean;
}

async function hear(
  doing: Doing,
  { id }: Of<'project'>,
  answer: EngineProject,
  { attempt, pollEveryMs, wasDoubtful }: Means,
): Promise<void> {
  const { write } = doing;
  const project = await write.one('project', id);
  if (project === null) return;
  await keepRepository(write, id, answer);
  const outcome = outcomeOf(answer, wasDoubtful);
  if (outcome.is === 'succeeded' && answer.url !== null) {
    await tell(doing, project, 'projectCreatedSuccessfully', [project.owner]);
    await attempt.done(write);
    return;
  }
  const isWaiting = outcome.is === 'under way' || outcome.is === 'doubtful';
  if (isWaiting) {
    // A look is no failure: only those are counted.
    const next = { project: id, wasDoubtful: outcome.is === 'doubtful' };
    await attempt.done(write);
    await doing.parts.jobs.later(
      write,
      { name: 'set-up-project', data: next },
      { key: id, afterMs: pollEveryMs },
    );
    return;
  }
  await write.query(sql`delete from project_repositories where project_id = ${id}`);
  const values = { projectStatus: answer.status, projectError: answer.error ?? answer.status };
  const { OrgAdmin: admins } = await settle(write, (find) => actorsOf(project, find));
  const others = admins.filter((user) => user !== project.owner);
  await tell(doing, project, 'projectCreationFailedOwner', [project.owner], values);
  await tell(doing, project, 'projectCreationFailedAdmin', others, values);
  await attempt.again(write, DAY_MS);
}

/** Keeps which project of the engine it is, and where it is once it is made. */
export async function keepRepository(
  write: Write,
  id: string,
  answer: EngineProject,
): Promise<void> {
  // Asked for again by its number, never made twice.
  await write.query(sql`insert into project_repositories (project_id, engine_id)
    values (${id}, ${answer.id}) on conflict (project_id) do nothing`);
  if (outcomeOf(answer, false).is !== 'succeeded' || answer.url === null) return;
  await write.change('project', id, { workflowProjectUrl: answer.url, location: answer.url });
}

/** Goes on trying. */
async function tellUnable(doing: Doing, project: Of<'project'>, { because }: EngineError) {
  const { OrgAdmin: admins } = await settle(doing.write, (find) => actorsOf(project, find));
  const id =
    because === 'no-usable-answer' ? 'projectFailedUnableToCreate' : 'projectFailedBuildEngine';
  await tell(doing, project, id, [...admins, project.owner]);
  return false;
}

async function tell(
  doing: Doing,
  { id: projectId, name: projectName, organization, dateArchived }: Of<'project'>,
  id: MessageId,
  people: readonly (string | null)[],
  values: Readonly<Record<string, string>> = {},
): Promise<void> {
  if (dateArchived !== null) return;
  const linkUrl = `/projects/${projectId}`;
  for (const user of new Set(people)) {
    const all = { projectName, ...values };
    await notify(doing, user, { id, organization, values: all, linkUrl });
  }
}
