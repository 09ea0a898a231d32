import { sql } from 'kysely';
import type { Of } from '#schema/index.ts';
import type { DatabaseTransaction, WriteTransaction } from '../../../db/database.ts';
import { NO_FLAGS } from '../guards.ts';
import type { Flags } from '../guards.ts';
import type { Machine } from '../machine.ts';
import { machines } from '../machines/machines.ts';
import type { Sources } from '../parameters.ts';
import type { WorkflowSnapshot } from '../step.ts';
import type { State } from '../steps.ts';

/** A running workflow, with its product, project and definitions. */
export interface RunningWorkflow {
  readonly product: Of<'product'>;
  readonly project: Of<'project'>;
  readonly machine: Machine;
  readonly snapshot: WorkflowSnapshot;
  /** The build or publication that the engine is at work on. */
  readonly awaited: string | null;
  /** Admins were told in this visit that nobody can go on (U9). */
  readonly lacksActor: boolean;
  readonly definitions: Definitions;
}

/**
 * The content of the definitions when the workflow began; editing them affects none that runs
 * (W53).
 */
type Definitions = Pick<Sources, 'productDefinition' | 'workflowDefinition'> & {
  readonly flow: string | null;
};

interface Row {
  readonly scheme: string;
  readonly flow: string | null;
  readonly definition_properties: string | null;
  readonly workflow_properties: string | null;
  /** Those that were stored by an earlier version lack what came later. */
  readonly flags: Partial<Flags>;
  readonly awaited: string | null;
  readonly lacks_actor: boolean;
}

/** Returns the machine that `definition` names; null when it names none. */
export function machineCalled({ workflowScheme }: Of<'workflowDefinition'>): Machine | null {
  return machines.get(workflowScheme ?? '') ?? null;
}

/** Returns the workflow of the product, or null when none runs. */
export async function runningOf(
  tx: DatabaseTransaction,
  productId: string,
): Promise<RunningWorkflow | null> {
  const [row] = await tx.query(
    sql<Row>`select scheme, flow, definition_properties, workflow_properties, flags, awaited, lacks_actor
      from running_workflows where product_id = ${productId}`,
  );
  if (row === undefined) return null;
  const product = await tx.one('product', productId);
  const project = product === null ? null : await tx.one('project', product.project);
  const machine = machines.get(row.scheme);
  const state = product?.workflowState ?? null;
  if (product === null || state === null || project === null || machine === undefined) {
    throw new Error(`The workflow of product ${productId} has lost what it runs for`);
  }
  return {
    product,
    project,
    machine,
    snapshot: { state: state as State, flags: { ...NO_FLAGS, ...row.flags } },
    awaited: row.awaited,
    lacksActor: row.lacks_actor,
    definitions: {
      flow: row.flow,
      productDefinition: { properties: row.definition_properties },
      workflowDefinition: { properties: row.workflow_properties },
    },
  };
}

/** Stores a workflow that begins; the caller writes the product's own fields. */
export async function insertRunning(
  write: WriteTransaction,
  { product, machine, snapshot, definitions }: RunningWorkflow,
): Promise<void> {
  const { flow, productDefinition, workflowDefinition } = definitions;
  await write.query(sql`insert into running_workflows
    (product_id, scheme, flow, definition_properties, workflow_properties, flags)
    values (${product.id}, ${machine.name}, ${flow}, ${productDefinition.properties},
      ${workflowDefinition.properties}, ${JSON.stringify(snapshot.flags)})`);
}

/** Stores what a step changed; the state itself is a field of the product. */
export async function updateRunning(
  write: WriteTransaction,
  { product, snapshot, awaited, lacksActor }: RunningWorkflow,
): Promise<void> {
  await write.query(sql`update running_workflows set
    flags = ${JSON.stringify(snapshot.flags)}, awaited = ${awaited}, lacks_actor = ${lacksActor}
    where product_id = ${product.id}`);
}

export async function deleteRunning(write: WriteTransaction, product: string): Promise<void> {
  await write.query(sql`delete from running_workflows where product_id = ${product}`);
}

/** Returns the engine's job of a product; null before it has one. */
export async function engineJobOf(
  tx: DatabaseTransaction,
  product: string,
): Promise<number | null> {
  const [row] = await tx.query(
    sql<{ readonly job_id: number }>`select job_id from product_jobs where product_id = ${product}`,
  );
  return row?.job_id ?? null;
}

export async function saveEngineJob(
  write: WriteTransaction,
  product: string,
  job: number,
): Promise<void> {
  await write.query(sql`insert into product_jobs (product_id, job_id) values (${product}, ${job})
    on conflict (product_id) do nothing`);
}

/** Returns the products of `projects` whose workflows run. */
export async function runningIn(
  tx: DatabaseTransaction,
  projects: readonly string[],
): Promise<readonly string[]> {
  const rows = await tx.query(
    sql<{ readonly id: string }>`select products.id from running_workflows
      join products on products.id = running_workflows.product_id
      where products.project_id = any(${[...projects]}::uuid[]) order by products.id`,
  );
  return rows.map(({ id }) => id);
}
