import { MemoryCache } from '@orbit/memory';
import type { InitializedRecord, RecordIdentity } from '@orbit/records';

/**
 * Orbit's cache with its records in plain maps, one for each type. Its own persistent maps make
 * forks cheap, which nobody here asks for, and every write and reading through dear.
 */
export class StoreCache extends MemoryCache {
  // Declared only: the constructor of the base resets, and so fills it, before fields are made.
  declare private maps: Map<string, Map<string, InitializedRecord>>;

  override reset(): void {
    const types = Object.keys(this.schema.models);
    this.maps = new Map(types.map((type) => [type, new Map<string, InitializedRecord>()]));
    super.reset();
  }

  /** Of a type that the schema has. */
  private of(type: string): Map<string, InitializedRecord> {
    return this.maps.get(type) ?? new Map<string, InitializedRecord>();
  }

  override getRecordSync({ type, id }: RecordIdentity): InitializedRecord | undefined {
    return this.maps.get(type)?.get(id);
  }

  override getRecordsSync(wanted?: string | RecordIdentity[]): InitializedRecord[] {
    if (typeof wanted === 'string') return [...this.of(wanted).values()];
    if (wanted !== undefined)
      return wanted.flatMap((identity) => this.getRecordSync(identity) ?? []);
    return [...this.maps.values()].flatMap((map) => [...map.values()]);
  }

  override setRecordSync(record: InitializedRecord): void {
    this.of(record.type).set(record.id, record);
  }

  override setRecordsSync(records: InitializedRecord[]): void {
    for (const record of records) this.maps.get(record.type)?.set(record.id, record);
  }

  override removeRecordSync({ type, id }: RecordIdentity): InitializedRecord | undefined {
    const map = this.of(type);
    const record = map.get(id);
    map.delete(id);
    return record;
  }

  override removeRecordsSync(identities: RecordIdentity[]): InitializedRecord[] {
    return identities.flatMap((identity) => this.removeRecordSync(identity) ?? []);
  }
}
