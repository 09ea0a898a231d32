import { attributesOf, storedTypes, toOnesOf } from '#schema/index.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import type { World } from './world.ts';

/** Whose they are does not hang on these: they are there for everyone. */
const COMMON: ReadonlySet<TypeName> = new Set([
  'role',
  'applicationType',
  'storeType',
  'storeLanguage',
  'store',
  'workflowDefinition',
  'productDefinition',
  'systemStatus',
]);

/**
 * When mail goes, and the language of that moment (what is told is in its key and values); the last
 * lines of a log, which stand there while the engine is at work; whether an engine was asked already
 * how it does.
 */
const BY_TIME = new Set([
  'notification.dateEmailSent',
  'notification.message',
  'productBuild.logTail',
  'organization.buildEngineAvailable',
]);

/** How far ahead an instant counts as one of its own kind: what was put off is told from what was not. */
const FAR_MS = 12 * 3_600_000;

/**
 * All that belongs to one of `roots`, by what people call it: without ids, instants and versions.
 *
 * @param mark stands in the names of what belongs to nobody, such as a store type, and is left out
 */
export async function recordsOf(
  { parts }: World,
  roots: readonly string[],
  mark?: string,
): Promise<string[]> {
  const all = await parts.db.read(async (tx) => {
    const lists = await Promise.all(storedTypes.map((type) => tx.all(type, {})));
    return storedTypes.flatMap((type, at) =>
      (lists[at] ?? []).map((record: AnyRecord) => ({ type, record })),
    );
  });
  const known = new Map(all.map((each) => [each.record.id, each]));
  const isMarked = (record: AnyRecord): boolean =>
    mark !== undefined &&
    Object.values(record).some((value) => typeof value === 'string' && value.includes(mark));
  const marked = all.filter(({ record }) => isMarked(record)).map(({ record }) => record.id);
  const theirs = new Set([...roots, ...marked]);
  const plain = (text: string): string =>
    withoutNumbers(mark === undefined ? text : text.replaceAll(mark, 'MARK'));
  for (let before = -1; before < theirs.size;) {
    before = theirs.size;
    for (const { type, record } of all)
      if (!COMMON.has(type) && toOnesOf(type).some(([field]) => theirs.has(String(record[field]))))
        theirs.add(record.id);
  }

  const nameOf = (id: unknown): string => {
    const found = known.get(String(id));
    if (found === undefined) return id === null ? 'none' : 'something';
    const { type, record } = found;
    if (typeof record.name === 'string') return `${type} ${plain(record.name)}`;
    return `${type} of ${toOnesOf(type)
      .map(([field]) => nameOf(record[field]))
      .join(', ')}`;
  };
  const nameOfMember = (value: unknown): string =>
    known.has(String(value)) ? nameOf(value) : JSON.stringify(value);
  const instantOf = (value: unknown): string => {
    if (typeof value !== 'string') return 'never';
    return Date.parse(value) > parts.clock() + FAR_MS ? 'far ahead' : 'once';
  };
  const said = ({ type, record }: (typeof all)[number]): string => {
    const attributes = attributesOf(type).filter(([field]) => !BY_TIME.has(`${type}.${field}`));
    const values = attributes.map(([field, { kind }]) => {
      const value = record[field];
      if (kind === 'instant') return `${field}: ${instantOf(value)}`;
      if (Array.isArray(value)) return `${field}: ${plain(value.map(nameOfMember).join(', '))}`;
      return `${field}: ${plain(JSON.stringify(value ?? null))}`;
    });
    return [
      type,
      ...values,
      ...toOnesOf(type).map(([field]) => `${field}: ${nameOf(record[field])}`),
    ].join('\n');
  };
  return all
    .filter(({ record }) => theirs.has(record.id))
    .map(said)
    .sort();
}

/** Without the numbers by which things are told apart. */
function withoutNumbers(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d+/g, 'N');
}
