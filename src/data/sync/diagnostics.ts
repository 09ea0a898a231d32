import type { Diagnostics, DiagnosticsSnapshot } from '../model/views.ts';
import { VERSION } from '#protocol/limits.ts';
import type { FeedReader } from './feed-reader.ts';
import type { Change } from '../model/change.ts';
import type { Environment } from '../model/environment.ts';
import type { HubClient } from './hub-client.ts';
import type { MutableServerState } from './mutable-server-state.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { fieldsOf } from '../model/record.ts';
import type { Reports } from './reports.ts';

export interface DiagnosticsSources {
  readonly localSchema: number;
  readonly environment: Pick<Environment, 'storage'>;
  readonly feedReader: FeedReader;
  readonly serverState: MutableServerState;
  readonly outbox: Outbox;
  readonly hubClient: HubClient;
  readonly reports: Reports;
  readonly asOf: () => string | null;
  readonly isLeading: () => boolean;
  readonly resync: () => void;
}

/** Reads the state of the components. */
export function createDiagnostics(sources: DiagnosticsSources): Omit<Diagnostics, 'resync'> {
  const { feedReader, serverState, outbox, hubClient, reports } = sources;
  const snapshot = async (): Promise<DiagnosticsSnapshot> => ({
    version: VERSION,
    localSchema: sources.localSchema,
    cursor: feedReader.cursor,
    scope: feedReader.scope,
    asOf: sources.asOf(),
    isLeading: sources.isLeading(),
    connection: hubClient.connection,
    transport: hubClient.transport,
    records: count(serverState.allServerRecords().map(({ type }) => type)),
    changes: count(Array.from(outbox.rows.all(), ({ state }) => state)),
    storage: await storageOf(sources.environment),
    errors: reports.last,
  });
  return {
    snapshot,
    supportFile: async () => {
      const rows = Array.from(outbox.rows.all(), withoutText);
      return JSON.stringify({ ...(await snapshot()), rows }, null, 2);
    },
  };
}

async function storageOf({
  storage,
}: Pick<Environment, 'storage'>): Promise<DiagnosticsSnapshot['storage']> {
  const [estimate, isPersistent] = await Promise.all([
    storage?.estimate().catch(() => null),
    storage?.persisted().catch(() => null),
  ]);
  return {
    usedBytes: estimate?.usage ?? null,
    grantedBytes: estimate?.quota ?? null,
    isPersistent: isPersistent ?? null,
  };
}

/** A change without what was typed: its records and fields, and its state. */
function withoutText(row: Change): object {
  const { id, seq, state, attempts, dependsOn, madeAt, schema, problem, says } = row;
  return {
    ...{ id, seq, state, attempts, dependsOn, schema },
    madeAt: new Date(madeAt).toISOString(),
    says: says[0],
    call: row.call === null ? null : `${row.call.method} ${row.call.path}`,
    problem:
      problem === null ? null : { code: problem.code, status: problem.status, id: problem.id },
    operations: row.operations.map(({ op, record }) => ({
      ...{ op, type: record.type, id: record.id },
      fields: op === 'updateRecord' ? fieldsOf(record) : [],
    })),
  };
}

function count(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
