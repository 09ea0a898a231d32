import type { Lines } from './replace-lines.ts';

/** What takes the handling of one fault out, and the test that must notice. */
export interface Handling {
  /** Number in `docs/spec/faults.md`. */
  readonly fault: number;
  /** Its tests there have the number in their names. */
  readonly test: string;
  readonly out: readonly (readonly [file: string, lines: Lines])[];
}

const one = (
  fault: number,
  test: string,
  file: string,
  ...lines: readonly (readonly [from: string, to: string])[]
): Handling => ({ fault, test, out: [[file, lines]] });

/** The line, or the few, that handle each fault, and what a device or server without it would do. */
export const handlings: readonly Handling[] = [
  one(1, 'tests/simulation/faults.test.ts', 'src/server/domain/writes/perform-change.ts', [
    '      if (known !== null) return { results: known, isReplayed: true };',
    '',
  ]),
  one(2, 'tests/data/sync/exactly-once.test.ts', 'src/data/sync/sender.ts', [
    '      await this.#waitAfter(error.failure, rows);',
    "      merge.merge({ items: [], verdicts: rows.map((row) => settled(row, 'refused')) });",
  ]),
  one(3, 'tests/simulation/faults.test.ts', 'src/server/domain/writes/perform-change.ts', [
    '      if (known !== null) return { results: known, isReplayed: true };',
    '',
  ]),
  one(4, 'tests/data/sync/exactly-once.test.ts', 'src/data/sync/remote.ts', [
    'garbled: status < 500',
    'garbled: false',
  ]),
  one(5, 'tests/data/storage/storage.test.ts', 'src/data/storage/database.ts', [
    '      await complete;\n',
    '',
  ]),
  one(6, 'tests/data/sync/exactly-once.test.ts', 'src/data/sync/copy-restorer.ts', [
    'outbox.restore(found.changes.filter((row) => row.userId === account));',
    '',
  ]),
  one(7, 'tests/simulation/faults.test.ts', 'src/server/domain/writes/perform-change.ts', [
    '      if (known !== null) return { results: known, isReplayed: true };',
    '',
  ]),
  one(
    8,
    'tests/data/sync/connection.test.ts',
    'src/data/tabs/follower.ts',
    ['    await this.#last;\n    try {', '    try {'],
    ['        !isMissing && hasAllOf(catchUp.cursor, cursor);', '        true;'],
    ['holds(cursor) && catchUp.cursor !== cursor;', 'false;'],
  ),
  one(9, 'tests/data/tabs/tabs.test.ts', 'src/data/tabs/tabs.ts', [
    '        this.#events.wrote(message.seqs);',
    '',
  ]),
  one(10, 'tests/data/tabs/tabs.test.ts', 'src/data/tabs/tabs.ts', [
    '      else this.#steal();',
    '',
  ]),
  one(11, 'tests/data/storage/storage.test.ts', 'src/data/storage/database.ts', [
    "    if (error.name === 'QuotaExceededError') return new NotKept('full', error);",
    '',
  ]),
  one(12, 'tests/data/storage/storage.test.ts', 'src/data/storage/eviction-detector.ts', [
    'const isEvicted = before !== null && before.born !== born;',
    'const isEvicted = before?.born === null;',
  ]),
  one(13, 'tests/data/storage/storage.test.ts', 'src/data/storage/database.ts', [
    'if (NO_STORAGE.has(name) && !this.#wasOpen) {',
    "if (name === 'never') {",
  ]),
  one(14, 'tests/data/storage/storage.test.ts', 'src/data/storage/database.ts', [
    'would hold the other tab up for ever.\n      this.#cache?.letGo();',
    'would hold the other tab up for ever.',
  ]),
  one(15, 'tests/data/storage/storage.test.ts', 'src/data/storage/database.ts', [
    '      this.#connect().catch(() => undefined);\n    }, afterMs);',
    '    }, afterMs);',
  ]),
  one(16, 'tests/data/storage/storage.test.ts', 'src/data/storage/stored-records.ts', [
    '      else this.damage.set(key, []);',
    '      else whole.set(key, row as never);',
  ]),
  one(17, 'tests/data/storage/migrate.test.ts', 'src/data/storage/migrate.ts', [
    '  1: (row) => ({ call: null, basedOn: null, undoes: null, ...row }),',
    '',
  ]),
  one(18, 'tests/data/storage/storage.test.ts', 'src/data/storage/database.ts', [
    "if (name === 'VersionError') {",
    "if (name === 'never') {",
  ]),
  one(19, 'tests/session/token.test.ts', 'src/session/token.ts', [
    'serverTime(environment) < endsAt - EARLY_MS',
    'environment.clock() < endsAt - EARLY_MS',
  ]),
  one(20, 'tests/data/sync/sender.test.ts', 'src/data/sync/sender.ts', [
    '      if (gate.closesFor(error)) return false;',
    '',
  ]),
  one(21, 'tests/data/sync/verdicts.test.ts', 'src/data/sync/verdicts.ts', [
    "  return { settled: settled(row, 'refused', problem), items: [] };",
    '  return null;',
  ]),
  one(22, 'tests/data/outbox/conflict.test.ts', 'src/data/sync/verdicts.ts', [
    "  if (problem?.code === 'changed-elsewhere')\n    return { settled: settled(row, 'conflict', problem), items: [] };",
    '',
  ]),
  one(23, 'tests/data/sync/verdicts.test.ts', 'src/data/sync/verdicts.ts', [
    '    return readBack(row, problem, reading);',
    "    return { settled: settled(row, 'refused', problem), items: [] };",
  ]),
  one(24, 'tests/data/outbox/coalesce.test.ts', 'src/data/outbox/coalesce.ts', [
    '      mendEdits(rows, draft, operation.record) ??',
    '',
  ]),
  one(25, 'tests/data/outbox/lost-parent.test.ts', 'src/data/outbox/change-row.ts', [
    "  if (type !== null && typeof id === 'string') return { type, id, by: nameIn(said?.by, merge) };",
    '',
  ]),
  one(26, 'tests/data/sync/connection.test.ts', 'src/data/sync/retry.ts', [
    '      if (!isAskedFor) this.#waiting.add(go);',
    '      this.#waiting.add(go);',
  ]),
  one(27, 'tests/data/sync/exactly-once.test.ts', 'src/data/sync/remote.ts', [
    '    abort.abort();\n',
    '',
  ]),
  one(28, 'tests/data/sync/connection.test.ts', 'src/data/sync/feed-reader.ts', [
    'const fits = isSameDatabase(own, cursor) && !isLater(previous, own);',
    'const fits = isSameDatabase(own, cursor);',
  ]),
  one(29, 'tests/data/sync/mutable-server-state.test.ts', 'src/data/outbox/apply-verdicts.ts', [
    "const acknowledged = changes.map((id): Settled => ({ id, state: 'done', problem: null }));",
    'const acknowledged = changes.flatMap((): Settled[] => []);',
  ]),
  one(30, 'tests/data/outbox/conflict.test.ts', 'src/data/sync/mutable-server-state.ts', [
    "if (isBound || item.is === 'remove') bound.set(key, item);",
    "if (item.is === 'remove') bound.set(key, item);",
  ]),
  one(31, 'tests/data/away.test.ts', 'src/data/sync/feed-reader.ts', [
    'const isOver = answer.status === 410 || answer.status === 400;',
    'const isOver = answer.status === 400;',
  ]),
  one(32, 'tests/data/sync/connection.test.ts', 'src/data/sync/hub-client.ts', [
    '      if (this.#hasEnded()) break;',
    '      break;',
  ]),
  one(33, 'tests/data/users.test.ts', 'src/data/storage/backup.ts', [
    'name: `slipway-${account}`,',
    "name: 'slipway-everybody',",
  ]),
  one(34, 'tests/data/away.test.ts', 'src/data/sync/viewer-status.ts', [
    '    this.#isHeld = true;',
    '',
  ]),
  one(35, 'tests/session/token.test.ts', 'src/session/token.ts', [
    'return goodOf(present, refused) ?? refresh(present);',
    'return refresh(present);',
  ]),
  one(36, 'tests/server/http/identity/provider.test.ts', 'src/server/http/identity/adapter.ts', [
    '    if (consumedAt === null) return false;',
    '    if (consumedAt === null) return false;\n    if (consumedAt !== null) return true;',
  ]),
  one(37, 'tests/session/token.test.ts', 'src/session/token.ts', [
    "if (answer.status < 500 && fields?.error === 'invalid_grant') return 'invalid_grant';",
    "if (!answer.ok) return 'invalid_grant';",
  ]),
  one(38, 'tests/data/away.test.ts', 'src/data/sync/mutable-server-state.ts', [
    '      if (!(error instanceof DoesNotFit)) throw error;\n      leftOut(error.message);',
    '      throw error;',
  ]),
  // Through Orbit's own operations, which take links to what is removed away.
  one(
    39,
    'tests/data/away.test.ts',
    'src/data/store/store.ts',
    [
      '    this.cache.setRecordsSync(fresh);',
      '    this.cache.update((t) => fresh.map((record) => t.updateRecord(record)));',
    ],
    [
      '    this.cache.removeRecordsSync([...remove]);',
      '    this.cache.update((t) => remove.map((gone) => t.removeRecord(gone)));',
    ],
  ),
  one(40, 'tests/screens/app/shell.browser.test.tsx', 'src/screens/app/page/late/late-part.tsx', [
    '    if (isMissingScript(error)) return () => <LatePart load={loadAll} props={{}} />;',
    '',
  ]),
  one(41, 'tests/session/session.test.ts', 'src/session/session.ts', [
    "  if (code === 'not-signed-in') return NOBODY;\n",
    '',
  ]),
  one(42, 'tests/data/tabs/tabs.test.ts', 'src/data/tabs/leader.ts', [
    "    for (const piece of ['sender', 'live', 'catch-up'] as const) gate.wentWell(piece);\n",
    '',
  ]),
  one(43, 'tests/simulation/faults.test.ts', 'src/server/feed/feed-page.ts', [
    "  if (mark !== seen.mark) throw expired('other-database');\n",
    '',
  ]),
  one(44, 'tests/data/storage/storage.test.ts', 'src/data/storage/database.ts', [
    'else this.#connect().catch(() => undefined);',
    '',
  ]),
  one(45, 'tests/screens/app/shell.browser.test.tsx', 'src/ui/status/sync-status.tsx', [
    "state === 'saved' && !isReady ? t('sync.gettingReady') :",
    '',
  ]),
  one(46, 'tests/server/http/api/undo.test.ts', 'src/server/domain/writes/perform-operation.ts', [
    '  if (isUndo) await refuseBuiltUpon(act, type, record);\n',
    '',
  ]),
];
