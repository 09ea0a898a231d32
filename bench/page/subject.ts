/** A record in the text, as JSON:API has it. */
export interface WireRecord {
  readonly type: string;
  readonly id: string;
  readonly attributes: Readonly<Record<string, string | number | boolean | null>>;
  readonly relationships: Readonly<
    Record<string, { readonly data: { readonly type: string; readonly id: string } | null }>
  >;
}

/** A project in a page of the list, with the names of what it belongs to. */
export interface Row {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly group: string;
  readonly organization: string;
}

export type Counted = readonly [artifacts: number, products: number];

/** One of those that are measured: ours, a floor or a peer. A step is timed until it resolves. */
export interface Subject {
  /** Prepares what must be there before a step; not timed. */
  readonly open: () => Promise<void>;
  /**
   * From the text of the feed to records that can be found by type and id, and by to-one; calls
   * `loaded` then.
   */
  readonly load: (text: string, loaded: () => void) => Promise<void>;
  /** Makes all that was loaded durable. */
  readonly write?: () => Promise<void>;
  /** In a page of its own, after `write` in another: from nothing to what `load` leaves. */
  readonly restore?: () => Promise<void>;
  /** Counts the artifacts, and the products of the project: proof of the work. */
  readonly count: (project: string) => Counted | Promise<Counted>;
  /** Opens the list of all projects, sorted by name, kept true from now on. */
  readonly mount: () => Promise<void>;
  /** The first 20 projects, by name, in whose or whose owner's, group's or organization's name `words` are. */
  readonly search?: (words: string) => Promise<readonly Row[]> | readonly Row[];
  /** Takes in a message that renames one project; resolves once the mounted list shows it. */
  readonly hear: (text: string) => Promise<void> | void;
  /** Makes durable what was received and is not by then; after a `write`. */
  readonly settle?: () => Promise<void>;
  /** Says whether the mounted list has a project of that name. */
  readonly shows: (name: string) => boolean;
}

/** The records of a feed document or a hub message. */
export function recordsIn(text: string): WireRecord[] {
  const { operations } = JSON.parse(text) as { operations: { data: WireRecord }[] };
  return operations.map(({ data }) => data);
}

/** A record as a flat row: attributes as they are, to-ones as ids. */
export type Flat = { id: string; type: string } & Record<string, string | number | boolean | null>;

export function flat({ type, id, attributes, relationships }: WireRecord): Flat {
  const row: Flat = { ...attributes, id, type };
  for (const name in relationships) row[name] = relationships[name]?.data?.id ?? null;
  return row;
}

/** Records by table, as a peer takes them. */
export function tables(records: readonly WireRecord[]): Map<string, Flat[]> {
  const byType = new Map<string, Flat[]>();
  for (const record of records) {
    const rows = byType.get(record.type);
    if (rows === undefined) byType.set(record.type, [flat(record)]);
    else rows.push(flat(record));
  }
  return byType;
}

/** The name of the record of that type and id. */
export type NameOf = (type: string, id: unknown) => string;

/** Names as they are in `content`, by id; '' where there is none. */
export function namesIn(content: ReadonlyMap<string, readonly Flat[]>): NameOf {
  const names = new Map<string, string>();
  for (const type of ['users', 'groups', 'organizations'])
    for (const { id, name } of content.get(type) ?? []) names.set(id, String(name));
  return (_, id) => names.get(String(id)) ?? '';
}

export function rowOf(project: Flat, nameOf: NameOf): Row {
  return {
    id: project.id,
    name: String(project.name),
    owner: nameOf('users', project.owner),
    group: nameOf('groups', project.group),
    organization: nameOf('organizations', project.organization),
  };
}

/** Says whether `wanted`, in small letters, is in any text of the row. */
export function has(row: Row, wanted: string): boolean {
  return Object.values(row).some((text: string) => text.toLowerCase().includes(wanted));
}

/** The result of `search`, where the projects are at hand in the order of their names. */
export function searchIn(projects: readonly Flat[], nameOf: NameOf, words: string): Row[] {
  const wanted = words.toLowerCase();
  return projects
    .map((project) => rowOf(project, nameOf))
    .filter((row) => has(row, wanted))
    .slice(0, 20);
}
