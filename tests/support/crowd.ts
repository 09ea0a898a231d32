import type { Operation, Verdict } from '#protocol/operations.ts';
import { paths } from '#protocol/paths.ts';
import { newId } from './make.ts';
import type { Prepared } from './prepared.ts';

/**
 * Who writes to a server over several connections as fast as it answers. Each change is three
 * operations: a project, its reviewer, and the name of the project in the connection's ledger.
 */

const CHANGES_PER_BATCH = 5;

export interface Change {
  readonly id: string;
  readonly project: string;
  readonly reviewer: string;
}

export type Batch = readonly Change[];

export interface Connection {
  /** A project whose description is the id of the last change. */
  readonly ledger: string;
  /** In order; each was acknowledged. */
  readonly acknowledged: Batch[];
  /** Sent without an answer. */
  pending: Batch | null;
}

/** The verdicts on `operations`, sent leniently as one body; null when no answer came. */
export async function perform(
  url: string,
  { token }: Prepared,
  operations: readonly Operation[],
): Promise<readonly Verdict[] | null> {
  let status: number;
  let text: string;
  try {
    const answer = await fetch(`${url}${paths.operations}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/vnd.api+json',
        Prefer: 'handling=lenient',
      },
      body: JSON.stringify({ operations }),
    });
    status = answer.status;
    text = await answer.text();
  } catch {
    return null;
  }
  if (status !== 200) throw new Error(`The batch was answered ${status}: ${text}`);
  return (JSON.parse(text) as { readonly operations: readonly Verdict[] }).operations;
}

/** A connection with its ledger made. */
export async function connect(url: string, prepared: Prepared): Promise<Connection> {
  const ledger = newId();
  const verdicts = await perform(url, prepared, [aProject(ledger, 'Ledger', prepared)]);
  checkAccepted(verdicts ?? []);
  return { ledger, acknowledged: [], pending: null };
}

/** Sends batch after batch until no answer comes; says how many changes each answer accepted. */
export async function writeOn(
  url: string,
  prepared: Prepared,
  connection: Connection,
  accepted: (changes: number) => void,
): Promise<void> {
  for (;;) {
    const batch = Array.from({ length: CHANGES_PER_BATCH }, newChange);
    connection.pending = batch;
    const verdicts = await send(url, prepared, connection, batch);
    if (verdicts === null) return;
    checkAccepted(verdicts);
    connection.acknowledged.push(batch);
    connection.pending = null;
    accepted(batch.length);
  }
}

/** Sends `batch` with the ids that it has always had. */
export function send(
  url: string,
  prepared: Prepared,
  { ledger }: Connection,
  batch: Batch,
): Promise<readonly Verdict[] | null> {
  const operations = batch.flatMap((change) => operationsOf(change, ledger, prepared));
  return perform(url, prepared, operations);
}

export function checkAccepted(verdicts: readonly Verdict[]): void {
  const refused = verdicts.find(({ errors }) => errors !== undefined);
  if (refused !== undefined) throw new Error(`Refused: ${JSON.stringify(refused)}`);
  if (verdicts.length === 0) throw new Error('There was no verdict');
}

const newChange = (): Change => ({ id: newId(), project: newId(), reviewer: newId() });

function operationsOf(change: Change, ledger: string, prepared: Prepared): Operation[] {
  const meta = { id: change.id };
  const reviewer = {
    type: 'reviewers',
    id: change.reviewer,
    attributes: { name: 'Ana', email: 'ana@example.org' },
    relationships: { project: { data: { type: 'projects', id: change.project } } },
  };
  const description = { type: 'projects', id: ledger, attributes: { description: change.id } };
  return [
    { ...aProject(change.project, change.id, prepared), meta },
    { op: 'add', data: reviewer, meta },
    { op: 'update', ref: { type: 'projects', id: ledger }, data: description, meta },
  ];
}

function aProject(id: string, name: string, { organization, group, type }: Prepared): Operation {
  const data = {
    type: 'projects',
    id,
    attributes: { name, language: 'en' },
    relationships: {
      organization: { data: { type: 'organizations', id: organization } },
      group: { data: { type: 'groups', id: group } },
      type: { data: { type: 'application-types', id: type } },
    },
  };
  return { op: 'add', data };
}
