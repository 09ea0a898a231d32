import { newId } from '#base/id.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { ProblemCode } from '#protocol/problem.ts';
import { mayImport } from '#rules/project.ts';
import { keyOfName, readImport } from '#rules/valid/import-file.ts';
import type { ImportFile } from '#rules/valid/import-file.ts';
import { namesOf } from '#rules/valid/project-import.ts';
import type { Of, TypeName } from '#schema/index.ts';
import { statedBy } from '../writes/document.ts';
import { performOperation } from '../writes/perform-operation.ts';
import { evaluateRule } from '../../db/evaluate-rule.ts';
import { timestampOf } from '../write-context.ts';
import type { WriteContext } from '../write-context.ts';
import { loadViewer } from '../../access/viewer.ts';
import type { JobData } from '../../db/jobs/job-data.ts';
import type { JobAttempt } from '../../db/jobs/jobs.ts';
import type { Services } from '../services.ts';
import { updateAffectedWorkflows } from '../workflow/running/affected-workflows.ts';
import { lacksProducts, linesOf } from '#rules/record/import-report.ts';
import type { ProductLine, ProjectLine } from '#rules/record/import-report.ts';
import { notifyFinished } from './notify-finished.ts';

/** This many projects are made in one transaction: others write between two of them. */
const AT_ONCE = 20;
const DAY_MS = 86_400_000;
/** A project that has no repository by then gets no products any more. */
const REPOSITORY_WITHIN_MS = 7 * DAY_MS;
const SHORTEST_POLL_PAUSE_MS = 1_000;
const LONGEST_POLL_PAUSE_MS = 60_000;

/**
 * Runs an import (domain 8.4): makes its projects, then their products as the repositories are
 * made. Each step is a transaction that also adds its result to the report, so whatever ends the
 * server, nothing is made twice and nothing left out.
 */
export async function runImport(
  services: Services,
  { import: id }: JobData['work-off-import'],
  attempt: JobAttempt,
): Promise<void> {
  const begun = await services.db.read((tx) => tx.one('projectImport', id));
  if (begun === null) return;
  const { file } = readImport(begun.importData);
  const importRequest = { services, id, owner: begun.owner, file };
  while (await step(importRequest, makeProjects));
  while (await step(importRequest, makeProducts));
  await services.db.write(causedBy(services, null), async (write) => {
    await attempt.complete(write);
    const record = await write.one('projectImport', id);
    if (record?.dateFinished !== null) return;
    const context = { services, write };
    if (!linesOf(record).some((line) => lacksProducts(line, file))) {
      await notifyFinished(context, record);
      return;
    }
    const job = { name: 'work-off-import', data: { import: id } } as const;
    await services.jobs.enqueue(write, job, { key: id, afterMs: pollAgainMs(services, record) });
  });
}

interface ImportRequest {
  readonly services: Services;
  readonly id: string;
  readonly owner: string | null;
  readonly file: ImportFile;
}

type Step = (
  context: WriteContext,
  record: Of<'projectImport'>,
  file: ImportFile,
) => Promise<readonly ProjectLine[] | null>;

const causedBy = ({ clock }: Services, by: string | null) => ({ at: clock(), by, changes: [] });

/** Runs one step in the owner's name; returns false when there is nothing to do in it. */
async function step({ services, id, owner, file }: ImportRequest, work: Step): Promise<boolean> {
  return services.db.write(causedBy(services, owner), async (write) => {
    const record = await write.one('projectImport', id);
    if (record?.dateFinished !== null) return false;
    const report = await work({ services, write }, record, file);
    if (report === null) return false;
    await write.change('projectImport', id, { report: report as never });
    await updateAffectedWorkflows({ services, write });
    return true;
  });
}

/** Makes the next projects of the file, which the report does not have yet. */
const makeProjects: Step = async (context, record, { projects }) => {
  const lines = linesOf(record);
  const next = projects.slice(lines.length, lines.length + AT_ONCE);
  if (next.length === 0) return null;
  const { organization } = record;
  const known = new Map(
    (await context.write.all('project', { organization })).map(({ id, name }) => [
      keyOfName(name),
      id,
    ]),
  );
  const made: ProjectLine[] = [];
  for (const { name, ...fields } of next) {
    const there = known.get(keyOfName(name)) ?? null;
    made.push(
      there === null
        ? await makeProject(context, record, { name, ...fields })
        : { name, project: there, outcome: 'exists' },
    );
  }
  return [...lines, ...made];
};

async function makeProject(
  context: WriteContext,
  record: Of<'projectImport'>,
  entry: ImportFile['projects'][number],
): Promise<ProjectLine> {
  const { organization, group, type, owner } = record;
  const { name } = entry;
  // Fields that the file leaves open are as in a new project.
  const said = Object.entries(entry).filter(([, value]) => value !== null);
  const fields = { ...Object.fromEntries(said), organization, group, type, owner };
  const { id, reason } = await add(context, record, 'project', fields);
  return reason === null
    ? { name, project: id, outcome: 'created' }
    : { name, project: null, outcome: 'failed', reason };
}

/** Makes the products of the first project that can have them now, or can never have them. */
const makeProducts: Step = async (context, record, file) => {
  const lines = linesOf(record);
  for (const [n, line] of lines.entries()) {
    if (line.project === null || !lacksProducts(line, file)) continue;
    const project = await context.write.one('project', line.project);
    const isOver =
      project?.dateArchived !== null || ageOf(context.services, record) > REPOSITORY_WITHIN_MS;
    if (!isOver && project.workflowProjectUrl === null) continue;
    const products: ProductLine[] = [];
    for (const importRequest of file.products)
      products.push(await makeProduct(context, record, line.project, importRequest));
    return lines.with(n, { ...line, products });
  }
  return null;
};

async function makeProduct(
  context: WriteContext,
  record: Of<'projectImport'>,
  project: string,
  entry: ImportFile['products'][number],
): Promise<ProductLine> {
  const { name } = entry;
  const { definition, store } = await evaluateRule(context.write, (find) =>
    namesOf(entry, record.organization, find),
  );
  if (definition === null || store === undefined)
    return { name, outcome: 'failed', reason: 'not-found' };
  const fields = { project, productDefinition: definition.id, store };
  const { reason } = await add(context, record, 'product', fields);
  return reason === null ? { name, outcome: 'created' } : { name, outcome: 'failed', reason };
}

/** Adds a record in the name of the import's owner, who must still be one who may import. */
async function add(
  { services, write }: WriteContext,
  record: Of<'projectImport'>,
  type: TypeName,
  fields: Readonly<Record<string, unknown>>,
): Promise<{ readonly id: string; readonly reason: ProblemCode | null }> {
  const id = newId(services.clock, services.random);
  const { owner, organization } = record;
  const viewer = owner === null ? null : await loadViewer(write, owner);
  if (viewer === null || !mayImport(viewer, record)) return { id, reason: 'forbidden' };
  // A person who may import needs no right of an app builder besides.
  const builderIn = new Set([...viewer.builderIn, organization]);
  try {
    await write.savepoint(async (inner) => {
      const at = timestampOf({ services, write: inner });
      const write = { services, write: inner, viewer: { ...viewer, builderIn }, at };
      await performOperation(write, { op: 'add', type, id, stated: statedBy(fields) });
    });
    return { id, reason: null };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return { id, reason: error.problem.code };
  }
}

function ageOf({ clock }: Services, { dateCreated }: Of<'projectImport'>): number {
  return clock() - Date.parse(dateCreated ?? '');
}

/** Returns the pause before the next poll: the longer repositories take, the longer it is. */
function pollAgainMs(services: Services, record: Of<'projectImport'>): number {
  const wanted = ageOf(services, record) / 10;
  return Math.min(LONGEST_POLL_PAUSE_MS, Math.max(SHORTEST_POLL_PAUSE_MS, wanted));
}
