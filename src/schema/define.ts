/**
 * The words a resource is declared with. A resource states its fields once; types, tables,
 * documents, the Orbit schema, routes and channels are derived from what these functions return.
 */

export type Kind =
  | 'line'
  | 'text'
  | 'email'
  | 'url'
  | 'bool'
  | 'int'
  | 'instant'
  | 'json'
  | 'uuid'
  | 'choice'
  | 'list'
  | 'map';

/** Says who sets a field, and when: at creation, afterwards, both, or the server alone. */
export type WritePhase = 'create' | 'update' | 'always' | 'server';

/**
 * Says what the store does with a type: in the working set, fetched by its screen, or never kept.
 */
export type Load = 'first' | 'ask' | 'none';

export type Verb = 'list' | 'get' | 'create' | 'update' | 'delete';

export interface Attribute<T = unknown> {
  readonly is: 'attribute';
  readonly kind: Kind;
  /** May not be missing, null or blank when a client creates the record. */
  readonly mustHave: boolean;
  readonly nullable: boolean;
  readonly write: WritePhase;
  /** Most characters of a text, or of each text of a list; null when there is no limit. */
  readonly limit: number | null;
  readonly choices: readonly (string | number)[] | null;
  /** The value of a new record that states none. */
  readonly fallback: T | null;
  /** Accepted from a client, never sent back. */
  readonly isWriteOnly: boolean;

  required(): Attribute<NonNullable<T>>;
  orElse(value: NonNullable<T>): Attribute<NonNullable<T>>;
  writeOnly(): Attribute<T>;
  by(write: WritePhase): Attribute<T>;
}

export interface ToOne<Nullable extends boolean = boolean> {
  readonly is: 'one';
  readonly to: string;
  readonly mustHave: boolean;
  readonly nullable: Nullable;
  readonly write: WritePhase;

  readonly required: () => ToOne<false>;
  readonly by: (write: WritePhase) => ToOne<Nullable>;
}

export interface ToMany {
  readonly is: 'many';
  readonly of: string;
  /** The to-one on the other side of which this is the mirror. */
  readonly inverse: string;
  /** False: the local store keeps no list for it, because very many records point to one. */
  readonly isMaterialised: boolean;
}

export type Field = Attribute | ToOne | ToMany;
export type Fields = Readonly<Record<string, Field>>;

type Stated = Readonly<Record<string, unknown>>;

/** What a new record is made with, besides its fields. */
interface Making {
  readonly viewer: { readonly id: string };
  /** The present moment, as it travels. */
  readonly at: string;
  /** Returns the record of the type named; null when there is none. */
  readonly find: (type: string, id: unknown) => Stated | null;
}

export interface Traits<FieldName extends string = string> {
  readonly verbs: readonly Verb[];
  /**
   * Dotted relationships that lead to the organization it belongs to, or to all of them; '' is the
   * record itself.
   */
  readonly belongsTo: string | null;
  /** The to-ones whose removal takes this record along (wire 16.1, *below*). */
  readonly below: readonly FieldName[];
  readonly load: Load;
  /** True if the organization header narrows its lists. */
  readonly narrowed: boolean;
  /** True if outsiders see some of its records (domain 2.3): its lists are kept to the caller's own. */
  readonly isSeenFromOutside: boolean;
  /** The to-ones that together may exist once. */
  readonly unique: readonly FieldName[] | null;
  /** False: an answer computed by a call, or a command; there is no table of it. */
  readonly isStored: boolean;
  /** True if its creation is a command, which cannot be undone once it is sent. */
  readonly isCommand: boolean;
  /** True if it is created by a call of its own instead of the address of its type. */
  readonly isCreatedByCall: boolean;
  /** True if its removal is sent only when its toast no longer offers to undo it. */
  readonly delaysRemoval: boolean;
  /** True if the first screen shows it: a device restores such types before all others. */
  readonly isShownFirst: boolean;
  /** Predicts what the server sets in a new record with these fields. */
  predict(stated: Stated, making: Making): Stated;
  /** Values of a new record that its fields alone do not tell, for tests. */
  readonly sample: Readonly<Partial<Record<FieldName, unknown>>>;
}

export interface Resource<Name extends string = string, F extends Fields = Fields> extends Traits {
  readonly name: Name;
  readonly fields: F;
}

type Value<F> =
  F extends Attribute<infer T>
    ? T
    : F extends ToOne<infer N>
      ? N extends true
        ? string | null
        : string
      : never;

/** A record of a resource as our code sees it: flat, to-ones as ids, to-manys left out. */
export type RecordOf<R extends Resource> = {
  readonly [K in keyof R['fields'] as R['fields'][K] extends ToMany ? never : K]: Value<
    R['fields'][K]
  >;
} & {
  readonly id: string;
  readonly dateCreated: string | null;
  readonly dateUpdated: string | null;
  /** `meta.version` of the wire; 0 for a record the server has not seen. */
  readonly version: number;
};

interface Predicting<F extends Fields> {
  readonly predict?: (
    stated: { readonly [K in keyof F]?: Value<F[K]> },
    making: Making,
  ) => { readonly [K in keyof F]?: unknown };
}

type AttributeState = Omit<Attribute, 'required' | 'orElse' | 'writeOnly' | 'by'>;

function attribute<T>(state: AttributeState): Attribute<T | null> {
  const next = (change: Partial<AttributeState>) => attribute<T>({ ...state, ...change });
  return {
    ...state,
    fallback: state.fallback as T | null,
    required: () =>
      next({ mustHave: true, nullable: false }) as unknown as Attribute<NonNullable<T>>,
    orElse: (value) =>
      next({ fallback: value, nullable: false }) as unknown as Attribute<NonNullable<T>>,
    writeOnly: () => next({ isWriteOnly: true }),
    by: (write) => next({ write }),
  };
}

const plain = (kind: Kind, limit: number | null = null): AttributeState => ({
  is: 'attribute',
  kind,
  mustHave: false,
  nullable: true,
  write: 'always',
  limit,
  choices: null,
  fallback: null,
  isWriteOnly: false,
});

/** One line of text, trimmed, at most `limit` characters. */
export const line = (limit = 2_000) => attribute<string>(plain('line', limit));
/** Text of several lines, kept as sent, at most `limit` characters. */
export const text = (limit: number | null = null) => attribute<string>(plain('text', limit));
export const email = () => attribute<string>(plain('email', 254));
/** An absolute http or https address; one that comes without a scheme gets `https://`. */
export const url = () => attribute<string>(plain('url', 2_000));
export const bool = () => attribute<boolean>(plain('bool'));
export const int = () => attribute<number>(plain('int'));
/** A moment, as ISO 8601 text in UTC with milliseconds. */
export const instant = () => attribute<string>(plain('instant', 40));
/** JSON as text. */
export const json = (limit: number | null = null) => attribute<string>(plain('json', limit));
export const uuid = () => attribute<string>(plain('uuid', 36));
export const choice = <const C extends string | number>(...choices: readonly C[]) =>
  attribute<C>({ ...plain('choice', 100), choices });
export const list = <T = string>() => attribute<readonly T[]>(plain('list', 250));
export const map = () => attribute<Readonly<Record<string, unknown>>>(plain('map'));

/** A to-one to the resource named `to`. */
export function one(to: string): ToOne<true> {
  const make = <N extends boolean>(
    mustHave: boolean,
    nullable: N,
    write: WritePhase,
  ): ToOne<N> => ({
    is: 'one',
    to,
    mustHave,
    nullable,
    write,
    required: () => make(true, false, write),
    by: (next) => make(mustHave, nullable, next),
  });
  return make(false, true, 'always');
}

/** The mirror of the to-one `inverse` of the resource named `of`. */
export function many(of: string, inverse: string, traits: { materialised?: boolean } = {}): ToMany {
  return { is: 'many', of, inverse, isMaterialised: traits.materialised ?? true };
}

const PLAIN: Omit<Traits, 'verbs'> = {
  belongsTo: null,
  below: [],
  load: 'none',
  narrowed: false,
  isSeenFromOutside: false,
  unique: null,
  isStored: true,
  isCommand: false,
  isCreatedByCall: false,
  delaysRemoval: false,
  isShownFirst: false,
  predict: () => ({}),
  sample: {},
};

const LETTERS: Readonly<Record<string, Verb>> = {
  L: 'list',
  G: 'get',
  C: 'create',
  U: 'update',
  D: 'delete',
};

/**
 * Declares a resource. `verbs` are the letters of wire 16.1 (List, Get, Create, Update, Delete);
 * traits that are left out are: belongs to nothing, below nothing, never kept by the device,
 * not narrowed, not unique, stored; the other flags are false, and the server sets nothing.
 */
export function resource<const Name extends string, const F extends Fields>(
  name: Name,
  verbs: string,
  fields: F,
  traits: Partial<Omit<Traits<keyof F & string>, 'verbs' | 'predict'>> & Predicting<F> = {},
): Resource<Name, F> {
  return {
    name,
    fields,
    verbs: Array.from(verbs, (letter) => {
      const verb = LETTERS[letter];
      if (verb === undefined) throw new Error(`${name}: no verb is called ${letter}`);
      return verb;
    }),
    ...PLAIN,
    ...(traits as Partial<Traits>),
  };
}
