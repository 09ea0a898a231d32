import { MemoryCache } from '@orbit/memory';
import type { InitializedRecord, RecordIdentity } from '@orbit/records';

/**
 * Orbit's cache with its records in plain maps, one for each type. Orbit's persistent maps make
 * forks cheap, which nobody here uses, but every write and every full read expensive.
 */
export class StoreCache extends MemoryCache {
  // It is only declared: the constructor of the base class fills it before fields are initialised.
  declare private maps: Map<string, Map<string, InitializedRecord>>;

  override reset(): void {
    const types = Object.keys(this.schema.models);
    this.maps = new Map(types.map((type) => [type, new Map<string, InitializedRecord>()]));
    super.reset();
  }

  /** The records of a type that the schema has. */
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
