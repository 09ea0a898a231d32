/** Where one fault is handled, what stands there instead, and the test that must notice. */
export interface Handling {
  /** Number in `docs/spec/faults.md`. */
  readonly fault: number;
  /** Its tests there have the number in their names. */
  readonly test: string;
  /** Here a comment with the number marks what handles it. */
  readonly file: string;
  /** For each marker in turn, the text in place of what it marks; '' where that is taken out. */
  readonly instead: readonly string[];
}

const handling = (
  fault: number,
  test: string,
  file: string,
  ...instead: readonly string[]
): Handling => ({ fault, test, file, instead });

/** What a device or server that does not handle a fault would do. */
export const handlings: readonly Handling[] = [
  handling(1, 'tests/simulation/faults.test.ts', 'src/server/domain/writes/perform-change.ts', ''),
  handling(
    2,
    'tests/data/sync/exactly-once.test.ts',
    'src/data/sync/sender.ts',
    "serverState.apply({ items: [], verdicts: rows.map((row) => verdictFor(row, 'refused')) });",
  ),
  handling(3, 'tests/simulation/faults.test.ts', 'src/server/domain/writes/perform-change.ts', ''),
  handling(4, 'tests/data/sync/exactly-once.test.ts', 'src/data/sync/remote.ts', 'garbled: false'),
  handling(5, 'tests/data/storage/storage.test.ts', 'src/data/storage/database.ts', ''),
  handling(6, 'tests/data/sync/exactly-once.test.ts', 'src/data/sync/copy-restorer.ts', ''),
  handling(7, 'tests/simulation/faults.test.ts', 'src/server/domain/writes/perform-change.ts', ''),
  handling(
    8,
    'tests/data/sync/connection.test.ts',
    'src/data/tabs/follower.ts',
    '',
    'const holds = () => true;',
    'const isAhead = () => false;',
  ),
  handling(9, 'tests/data/tabs/tabs.test.ts', 'src/data/tabs/tabs.ts', ''),
  handling(10, 'tests/data/tabs/tabs.test.ts', 'src/data/tabs/tabs.ts', ''),
  handling(11, 'tests/data/storage/storage.test.ts', 'src/data/storage/database.ts', ''),
  handling(
    12,
    'tests/data/storage/storage.test.ts',
    'src/data/storage/eviction-detector.ts',
    'const isEvicted = false;',
  ),
  handling(13, 'tests/data/storage/storage.test.ts', 'src/data/storage/database.ts', ''),
  handling(14, 'tests/data/storage/storage.test.ts', 'src/data/storage/database.ts', ''),
  handling(15, 'tests/data/storage/storage.test.ts', 'src/data/storage/database.ts', ''),
  handling(
    16,
    'tests/data/storage/storage.test.ts',
    'src/data/storage/stored-records.ts',
    'whole.set(key, row);',
  ),
  handling(
    17,
    'tests/data/storage/migrate.test.ts',
    'src/data/storage/migrate.ts',
    '1: (row) => row',
  ),
  handling(18, 'tests/data/storage/storage.test.ts', 'src/data/storage/database.ts', ''),
  handling(
    19,
    'tests/session/token.test.ts',
    'src/session/token.ts',
    'environment.clock() < endsAt - EARLY_MS',
  ),
  handling(20, 'tests/data/sync/sender.test.ts', 'src/data/sync/sender.ts', ''),
  handling(21, 'tests/data/sync/verdicts.test.ts', 'src/data/sync/verdicts.ts', 'return null;'),
  handling(22, 'tests/data/outbox/conflict.test.ts', 'src/data/sync/verdicts.ts', ''),
  handling(23, 'tests/data/sync/verdicts.test.ts', 'src/data/sync/verdicts.ts', ''),
  handling(24, 'tests/data/outbox/coalesce.test.ts', 'src/data/outbox/coalesce.ts', 'null'),
  handling(25, 'tests/data/outbox/lost-parent.test.ts', 'src/data/outbox/change-row.ts', ''),
  handling(
    26,
    'tests/data/sync/connection.test.ts',
    'src/data/sync/retry.ts',
    'this.#waiting.add(go);',
  ),
  handling(27, 'tests/data/sync/exactly-once.test.ts', 'src/data/sync/remote.ts', ''),
  handling(28, 'tests/data/sync/connection.test.ts', 'src/data/sync/feed-reader.ts', 'true'),
  handling(
    29,
    'tests/data/sync/mutable-server-state.test.ts',
    'src/data/outbox/apply-verdicts.ts',
    'const acknowledged = [];',
  ),
  handling(
    30,
    'tests/data/outbox/conflict.test.ts',
    'src/data/sync/mutable-server-state.ts',
    'const isBound = false;',
  ),
  handling(
    31,
    'tests/data/away.test.ts',
    'src/data/sync/feed-reader.ts',
    'const isOver = answer.status === 400;',
  ),
  handling(32, 'tests/data/sync/connection.test.ts', 'src/data/sync/hub-client.ts', 'break;'),
  handling(
    33,
    'tests/data/users.test.ts',
    'src/data/storage/backup.ts',
    "name: 'slipway-everybody'",
  ),
  handling(34, 'tests/data/away.test.ts', 'src/data/sync/viewer-status.ts', ''),
  handling(35, 'tests/session/token.test.ts', 'src/session/token.ts', 'return refresh(present);'),
  handling(
    36,
    'tests/server/http/identity/provider.test.ts',
    'src/server/http/identity/adapter.ts',
    'const graceMs = 0;',
  ),
  handling(
    37,
    'tests/session/token.test.ts',
    'src/session/token.ts',
    "if (!answer.ok) return 'invalid_grant';",
  ),
  handling(38, 'tests/data/away.test.ts', 'src/data/sync/mutable-server-state.ts', 'throw error;'),
  // Through Orbit's own operations, which take links to what is removed away.
  handling(
    39,
    'tests/data/away.test.ts',
    'src/data/store/store.ts',
    'this.cache.update((t) => fresh.map((record) => t.updateRecord(record)));',
    'this.cache.update((t) => remove.map((gone) => t.removeRecord(gone)));',
  ),
  handling(
    40,
    'tests/screens/app/shell.browser.test.tsx',
    'src/screens/app/page/late/late-part.tsx',
    '',
  ),
  handling(41, 'tests/session/session.test.ts', 'src/session/session.ts', ''),
  handling(42, 'tests/data/tabs/tabs.test.ts', 'src/data/tabs/leader.ts', ''),
  handling(43, 'tests/simulation/faults.test.ts', 'src/server/feed/feed-page.ts', ''),
  handling(44, 'tests/data/storage/storage.test.ts', 'src/data/storage/database.ts', ''),
  handling(
    45,
    'tests/screens/app/shell.browser.test.tsx',
    'src/ui/status/sync-status.tsx',
    'const word = t(`sync.state.${state}`);',
  ),
  handling(
    46,
    'tests/server/http/api/undo.test.ts',
    'src/server/domain/writes/perform-operation.ts',
    '',
  ),
];
