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

/** So many projects are made in one transaction: others write between two of them. */
const AT_ONCE = 20;
const DAY_MS = 86_400_000;
/** A project that has no repository by then gets no products any more. */
const REPOSITORY_WITHIN_MS = 7 * DAY_MS;
const LOOK_AGAIN_LEAST_MS = 1_000;
const LOOK_AGAIN_MOST_MS = 60_000;

/**
 * Works an import off (domain 8.4): its projects, then their products as the repositories are made.
 * Each step is a transaction that also says in the report what came of it, so whatever ends the
 * server, nothing is made twice and nothing left out.
 */
export async function runImport(
  parts: Services,
  { import: id }: JobData['work-off-import'],
  attempt: JobAttempt,
): Promise<void> {
  const begun = await parts.db.read((tx) => tx.one('projectImport', id));
  if (begun === null) return;
  const { file } = readImport(begun.importData);
  const asked = { services: parts, id, owner: begun.owner, file };
  while (await step(asked, makeProjects));
  while (await step(asked, makeProducts));
  await parts.db.write(causedBy(parts, null), async (write) => {
    await attempt.complete(write);
    const record = await write.one('projectImport', id);
    if (record?.dateFinished !== null) return;
    const doing = { services: parts, write };
    if (!linesOf(record).some((line) => lacksProducts(line, file))) {
      await notifyFinished(doing, record);
      return;
    }
    const job = { name: 'work-off-import', data: { import: id } } as const;
    await parts.jobs.enqueue(write, job, { key: id, afterMs: pollAgainMs(parts, record) });
  });
}

interface ImportRequest {
  readonly services: Services;
  readonly id: string;
  readonly owner: string | null;
  readonly file: ImportFile;
}

type Step = (
  doing: WriteContext,
  record: Of<'projectImport'>,
  file: ImportFile,
) => Promise<readonly ProjectLine[] | null>;

const causedBy = ({ clock }: Services, by: string | null) => ({ at: clock(), by, changes: [] });

/** One step in the owner's name; false when there is nothing to do in it. */
async function step(
  { services: parts, id, owner, file }: ImportRequest,
  work: Step,
): Promise<boolean> {
  return parts.db.write(causedBy(parts, owner), async (write) => {
    const record = await write.one('projectImport', id);
    if (record?.dateFinished !== null) return false;
    const report = await work({ services: parts, write }, record, file);
    if (report === null) return false;
    await write.change('projectImport', id, { report: report as never });
    await updateAffectedWorkflows({ services: parts, write });
    return true;
  });
}

/** The next projects of the file, which the report has none of yet. */
const makeProjects: Step = async (doing, record, { projects }) => {
  const lines = linesOf(record);
  const next = projects.slice(lines.length, lines.length + AT_ONCE);
  if (next.length === 0) return null;
  const { organization } = record;
  const known = new Map(
    (await doing.write.all('project', { organization })).map(({ id, name }) => [
      keyOfName(name),
      id,
    ]),
  );
  const made: ProjectLine[] = [];
  for (const { name, ...fields } of next) {
    const there = known.get(keyOfName(name)) ?? null;
    made.push(
      there === null
        ? await makeProject(doing, record, { name, ...fields })
        : { name, project: there, outcome: 'exists' },
    );
  }
  return [...lines, ...made];
};

async function makeProject(
  doing: WriteContext,
  record: Of<'projectImport'>,
  asked: ImportFile['projects'][number],
): Promise<ProjectLine> {
  const { organization, group, type, owner } = record;
  const { name } = asked;
  // What the file leaves open is as in a new project.
  const said = Object.entries(asked).filter(([, value]) => value !== null);
  const fields = { ...Object.fromEntries(said), organization, group, type, owner };
  const { id, reason } = await add(doing, record, 'project', fields);
  return reason === null
    ? { name, project: id, outcome: 'created' }
    : { name, project: null, outcome: 'failed', reason };
}

/** The products of the first project that can have them now, or can never have them. */
const makeProducts: Step = async (doing, record, file) => {
  const lines = linesOf(record);
  for (const [n, line] of lines.entries()) {
    if (line.project === null || !lacksProducts(line, file)) continue;
    const project = await doing.write.one('project', line.project);
    const isOver =
      project?.dateArchived !== null || ageOf(doing.services, record) > REPOSITORY_WITHIN_MS;
    if (!isOver && project.workflowProjectUrl === null) continue;
    const products: ProductLine[] = [];
    for (const asked of file.products)
      products.push(await makeProduct(doing, record, line.project, asked));
    return lines.with(n, { ...line, products });
  }
  return null;
};

async function makeProduct(
  doing: WriteContext,
  record: Of<'projectImport'>,
  project: string,
  asked: ImportFile['products'][number],
): Promise<ProductLine> {
  const { name } = asked;
  const { definition, store } = await evaluateRule(doing.write, (find) =>
    namesOf(asked, record.organization, find),
  );
  if (definition === null || store === undefined)
    return { name, outcome: 'failed', reason: 'not-found' };
  const fields = { project, productDefinition: definition.id, store };
  const { reason } = await add(doing, record, 'product', fields);
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
  // Who may import needs no right of an app builder besides.
  const builderIn = new Set([...viewer.builderIn, organization]);
  try {
    await write.savepoint(async (inner) => {
      const at = timestampOf({ services, write: inner });
      const act = { services, write: inner, viewer: { ...viewer, builderIn }, at };
      await performOperation(act, { op: 'add', type, id, stated: statedBy(fields) });
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

/** Repositories are soon made or late: it is looked for them the less often the longer it takes. */
function pollAgainMs(parts: Services, record: Of<'projectImport'>): number {
  const wanted = ageOf(parts, record) / 10;
  return Math.min(LOOK_AGAIN_MOST_MS, Math.max(LOOK_AGAIN_LEAST_MS, wanted));
}
