import type { ResourceObject } from '#protocol/document.ts';
import { typeOfWire } from '#protocol/names.ts';
import type { FeedDocument, FeedOperation } from '#protocol/operations.ts';
import { parentsOf } from '#server/feed/types.ts';
import type { Person } from '../http/api/world.ts';

/** A client's copy of what it received, kept as wire 9.1 requires: by `type/id`. */
export class Copy {
  readonly records = new Map<string, ResourceObject>();
  readonly documents: FeedDocument[] = [];
  cursor: string | null = null;
  private readonly person: Person;
  private readonly headers: Readonly<Record<string, string>>;
  private readonly limit: number;

  constructor(person: Person, limit = 1_000, headers: Readonly<Record<string, string>> = {}) {
    this.person = person;
    this.limit = limit;
    this.headers = headers;
  }

  /** Reads on until the copy is level with the server. */
  async catchUp(): Promise<this> {
    for (;;) {
      const since = this.cursor === null ? '' : `&since=${this.cursor}`;
      const reply = await this.person.get(
        `/api/changes?limit=${String(this.limit)}${since}`,
        this.headers,
      );
      if (reply.status !== 200) throw new Error(reply.refusal ?? 'refused');
      const document = reply.body as unknown as FeedDocument;
      this.documents.push(document);
      document.operations.forEach((operation) => {
        this.apply(operation);
      });
      this.cursor = document.meta.cursor;
      if (!document.meta.more) return this;
    }
  }

  apply(operation: FeedOperation): void {
    if (operation.op === 'remove') {
      this.remove(`${operation.ref.type}/${operation.ref.id}`);
      return;
    }
    const { data } = operation;
    const key = `${data.type}/${data.id}`;
    const held = this.records.get(key);
    if ((held?.meta?.version ?? 0) <= (data.meta?.version ?? 0)) this.records.set(key, data);
  }

  /** Removes a record and whatever is below it, named or not. */
  private remove(key: string): void {
    this.records.delete(key);
    const below = [...this.records].filter(([, record]) => parentKeys(record).includes(key));
    for (const [child] of below) this.remove(child);
  }

  /** Returns everything in it, by key, without the types that are fetched on demand. */
  get first(): Readonly<Record<string, ResourceObject>> {
    const kept = [...this.records].filter(([, { type }]) => !ON_DEMAND.has(type));
    return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

const ON_DEMAND: ReadonlySet<string> = new Set([
  'organization-invites',
  'organization-membership-invites',
  'project-imports',
  'product-transitions',
  'product-comments',
  'system-statuses',
  // The working set has only the newest of these.
  'product-builds',
  'product-artifacts',
  'product-publications',
]);

/** Keys of the records that `record` is below. */
export function parentKeys(record: ResourceObject): string[] {
  const type = typeOfWire(record.type);
  if (type === null) return [];
  return parentsOf(type).flatMap(([field]) => {
    const name = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const data = record.relationships?.[name]?.data;
    return data === null || data === undefined || !('id' in data)
      ? []
      : [`${data.type}/${data.id}`];
  });
}
