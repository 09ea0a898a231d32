import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { access, mayCreate, mayRead, mayRemove, mayUpdate, mayWriteField } from '#rules/access.ts';
import { newRecord } from '#rules/record/defaults.ts';
import { resourceOf, storedTypes, toManysOf, toOnesOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Verb } from '#schema/define.ts';
import { newId } from '../../support/make.ts';
import { linkTo, resourceObject } from '../../support/resource-object.ts';
import { changeOf } from '../../support/sample.ts';
import type { Cell } from './cell.ts';
import type { Answer, Known } from './person.ts';
import { isOpen } from './reading.ts';
import type { Town } from './town.ts';
import { CARRIERS } from './world.ts';
import type { Request, World } from './world.ts';

type Values = Readonly<Record<string, unknown>>;
type Op = 'add' | 'update' | 'remove';

interface Operation {
  readonly op: Op;
  readonly ref?: { readonly type: string; readonly id: string; readonly relationship?: string };
  readonly data?: unknown;
}

/** One write, of the stranger and of someone entitled. */
interface Writing {
  readonly type: TypeName;
  readonly name: string;
  readonly operation: Operation;
  readonly wrong: Cell['wrong'];
  readonly isBlind: boolean;
  readonly twin:
    { readonly who: Known; readonly operation: Operation } | { readonly nobody: string };
}

/** Every way of writing a town's records: by address and by every carrier of operations. */
export function writingCells(world: World, town: Town, types: readonly TypeName[]): Cell[] {
  const all = types.flatMap((type) => [
    ...creating(world, town, type),
    ...changing(world, town, type),
    ...removing(world, town, type),
    ...(storedTypes.includes(type) ? linking(world, town, type) : []),
    ...naming(world, town, type),
  ]);
  return all.flatMap((writing) => [
    cellOf(writing, 'write', byAddress),
    ...CARRIERS.map((by) =>
      cellOf(writing, 'write by operations', (operation) => ({ by, operation })),
    ),
  ]);
}

function cellOf(
  { type, name, operation, wrong, isBlind, twin }: Writing,
  way: Cell['way'],
  sent: (operation: Operation) => Request,
): Cell {
  const request = sent(operation);
  const carrier = 'by' in request ? ` ${request.by}` : '';
  return {
    way,
    type,
    name: `${name}${carrier}`,
    request,
    wrong,
    isBlind,
    twin:
      'nobody' in twin ? twin : { who: twin.who, request: sent(twin.operation), isRight: isDone },
  };
}

/** A command that no workflow engine can run yet is refused once it is allowed and valid. */
const ALLOWED_AND_VALID: ReadonlySet<string> = new Set(['not-ready', 'action-not-allowed']);

const isDone = ({ status, refusals }: Answer): boolean =>
  (status >= 200 && status < 300) || refusals.every((one) => ALLOWED_AND_VALID.has(one));

const METHODS = { add: 'POST', update: 'PATCH', remove: 'DELETE' } as const;

/** The request on an address that says the same as `operation`. */
function byAddress({ op, ref, data }: Operation): Request {
  const type = ref?.type ?? (data as { readonly type: string }).type;
  const id = ref === undefined ? '' : `/${ref.id}`;
  const relationship = ref?.relationship === undefined ? '' : `/relationships/${ref.relationship}`;
  const body = data === undefined ? {} : { body: { data } };
  return { method: METHODS[op], path: `/api/${type}${id}${relationship}`, ...body };
}

const knows = (type: TypeName, verb: Verb): boolean => resourceOf(type).verbs.includes(verb);

const isRefused = ({ status }: Answer): boolean => status >= 400;

/** It does not exist for the stranger; or they see it, and may not write it. */
function refusedFor(isSeen: boolean, verb: boolean): Cell['wrong'] {
  const expected = verb ? (isSeen ? 'forbidden' : 'not-found') : 'method-not-allowed';
  return ({ refusals }) => {
    const isExpected = refusals.length > 0 && refusals.every((one) => one === expected);
    return isExpected || (!verb && refusals.join() === 'not-found') ? null : `not ${expected}`;
  };
}

// create ------------------------------------------------------------------------------------------

/** A person who is seen from outside is no member here. */
const BODY_REFUSALS = new Set([
  'forbidden',
  'not-found',
  'invalid/reference',
  'invalid/no-membership',
]);

/** The refusal of a body that names something hidden says so, or that it is not allowed. */
const isBodyRefused: Cell['wrong'] = (answer) => {
  const isExpected =
    answer.refusals.length > 0 &&
    answer.refusals.every(
      (one) => ['forbidden', 'not-found'].includes(one) || one.startsWith('invalid/'),
    ) &&
    answer.refusals.some((one) => BODY_REFUSALS.has(one));
  return isRefused(answer) && isExpected ? null : 'not refused';
};

function creating(world: World, town: Town, type: TypeName): Writing[] {
  const draft = town.draft(type);
  if (!knows(type, 'create') || draft === null) return [];
  const add = (fields: Values): Operation => ({
    op: 'add',
    data: resourceObject(type, newId(), fields),
  });
  const who = creatorOf(world, town, type, draft);
  const twin: Writing['twin'] =
    who === null
      ? { nobody: access[type].create === undefined ? 'nobody creates it' : 'nobody may' }
      : { who, operation: add(exactly(world, town, type, draft)) };
  const base = { type, wrong: isBodyRefused, isBlind: false, twin };
  const name = `${town.name} new ${wireTypeOf(type)}`;
  const own = world.harbor.draft(type) ?? {};
  const crossed = toOnesOf(type).flatMap(([field, { to }]): Writing[] => {
    if (isOpen(world, town, to) || typeof draft[field] !== 'string') return [];
    const isBlind = !world.mayRead(world.stranger, to, draft[field]);
    const operation = add({ ...own, [field]: draft[field] });
    return [{ ...base, isBlind, name: `${name}, ours but ${field}`, operation }];
  });
  return [{ ...base, name, operation: add(draft) }, ...crossed];
}

/** People named by their addresses: nothing tells who of them belongs to the town. */
function naming(world: World, town: Town, type: TypeName): Writing[] {
  if (type !== 'organizationMembership' && type !== 'organizationMembershipInvite') return [];
  const { organization } = town.ids;
  if (isOpen(world, town, 'organization')) return [];
  const { admin, member, loner } = town.people;
  const add = (email: string): Operation => ({
    op: 'add',
    data: resourceObject(type, newId(), { email, organization }),
  });
  const twin = { who: world.known(admin), operation: add(loner.signInAddress) };
  const wrong: Cell['wrong'] = ({ refusals }) =>
    refusals.join() === 'invalid/reference' ? null : 'tells who is who';
  const addresses = {
    member: member.signInAddress,
    loner: loner.signInAddress,
    nobody: 'a@b.test',
  };
  return Object.entries(addresses).map(([whose, email]) => {
    const name = `${town.name} new ${wireTypeOf(type)} by the email of a ${whose}`;
    return { type, name, operation: add(email), wrong, isBlind: false, twin };
  });
}

/** The commands must be those of the task, in the state of its product. */
function exactly(world: World, town: Town, type: TypeName, draft: Values): Values {
  if (type !== 'taskCommand') return draft;
  const task = world.find.one('userTask', town.ids.userTask);
  const product = world.find.one('product', town.ids.product);
  return { ...draft, command: task?.commands[0], state: product?.workflowState };
}

function creatorOf(world: World, town: Town, type: TypeName, draft: Values): Known | null {
  const at = new Date(world.server.parts.clock()).toISOString();
  const candidate = world.candidates(town).find(({ viewer }) => {
    const record = newRecord(type, draft, { viewer, find: world.find, at, id: newId() });
    const sees = toOnesOf(type).every(([field, { to }]) => {
      const id = draft[field];
      return typeof id !== 'string' || mayReadOf(world, viewer, to, id);
    });
    const fields = Object.keys(draft).every((field) =>
      mayWriteField(viewer, type, field, null, record, world.find),
    );
    return sees && fields && mayCreate(viewer, type, record, world.find);
  });
  return candidate ?? null;
}

function mayReadOf(world: World, viewer: Known['viewer'], type: TypeName, id: string): boolean {
  const record = world.find.one(type, id);
  return record !== null && mayRead(viewer, type, record, world.find);
}

// change and remove -------------------------------------------------------------------------------

function changing(world: World, town: Town, type: TypeName): Writing[] {
  if (!storedTypes.includes(type)) return [];
  const id = town.ids[type];
  const change = changed(type);
  const operation: Operation = {
    op: 'update',
    ref: { type: wireTypeOf(type), id },
    data: resourceObject(type, id, change),
  };
  const isSeen = isOpen(world, town, type);
  const isKnown = knows(type, 'update');
  const who = changerOf(world, town, type, Object.keys(change));
  return [
    {
      type,
      name: `${town.name} ${wireTypeOf(type)}/…`,
      operation,
      wrong: refusedFor(isSeen, isKnown),
      isBlind: !isSeen,
      twin: who === null ? { nobody: nobodyTo('update', type) } : { who, operation },
    },
  ];
}

const nobodyTo = (verb: 'update' | 'remove', type: TypeName): string =>
  access[type][verb] === undefined ? `nobody ${verb}s it` : 'nobody may';

function changed(type: TypeName): Values {
  if (type === 'product') return { properties: null };
  if (type === 'notification') return { dateRead: '2026-01-31T09:30:00.000Z' };
  return changeOf(type);
}

/** Returns a person who may update it, and those fields of it. */
function changerOf(
  world: World,
  town: Town,
  type: TypeName,
  fields: readonly string[],
): Known | null {
  const record = world.find.one(type, town.ids[type]);
  if (record === null || !knows(type, 'update')) return null;
  const { find } = world;
  const candidate = world
    .candidates(town)
    .find(
      ({ viewer }) =>
        mayRead(viewer, type, record, find) &&
        mayUpdate(viewer, type, record, find) &&
        fields.every((field) => mayWriteField(viewer, type, field, record, record, find)),
    );
  return candidate ?? null;
}

function removing(world: World, town: Town, type: TypeName): Writing[] {
  if (!storedTypes.includes(type)) return [];
  const spare = town.spare[type] ?? town.ids[type];
  const isSeen = isOpen(world, town, type);
  const operationOn = (id: string): Operation => ({
    op: 'remove',
    ref: { type: wireTypeOf(type), id },
  });
  const record = world.find.one(type, spare);
  const { find } = world;
  const who = world
    .candidates(town)
    .find(
      ({ viewer }) =>
        record !== null &&
        mayRead(viewer, type, record, find) &&
        mayRemove(viewer, type, record, find),
    );
  return [
    {
      type,
      name: `${town.name} ${wireTypeOf(type)}/… removed`,
      operation: operationOn(town.ids[type]),
      wrong: refusedFor(isSeen, knows(type, 'delete')),
      isBlind: !isSeen,
      twin:
        who === undefined || !knows(type, 'delete')
          ? { nobody: nobodyTo('remove', type) }
          : { who, operation: operationOn(spare) },
    },
  ];
}

// relationship addresses --------------------------------------------------------------------------

function linking(world: World, town: Town, type: TypeName): Writing[] {
  return [
    ...toOnesOf(type).flatMap(([field, { to }]) => toOneWritings(world, town, type, field, to)),
    ...toManysOf(type).flatMap(([field, { of, inverse }]) =>
      toManyWritings(world, town, type, { field, of, inverse }),
    ),
  ];
}

function refTo(type: TypeName, id: string, field: string) {
  return { type: wireTypeOf(type), id, relationship: wireFieldOf(type, field) };
}

/** A to-one of theirs set to what it is; and one of ours set to theirs. */
function toOneWritings(
  world: World,
  town: Town,
  type: TypeName,
  field: string,
  to: TypeName,
): Writing[] {
  const isKnown = knows(type, 'update');
  const isSeen = isOpen(world, town, type);
  const target = world.record(type, town.ids[type])?.[field] ?? null;
  const onTheirs: Operation = {
    op: 'update',
    ref: refTo(type, town.ids[type], field),
    data: linkTo(to, target),
  };
  const who = changerOf(world, town, type, []);
  const twin: Writing['twin'] =
    who === null ? { nobody: nobodyTo('update', type) } : { who, operation: onTheirs };
  const name = `${town.name} ${wireTypeOf(type)}/…/relationships/${wireFieldOf(type, field)}`;
  const theirs: Writing = {
    type,
    name,
    operation: onTheirs,
    wrong: refusedFor(isSeen, isKnown),
    isBlind: !isSeen,
    twin,
  };
  const isServers = toOnesOf(type).find(([one]) => one === field)?.[1].write === 'server';
  if (isOpen(world, town, to) || typeof target !== 'string' || isServers) return [theirs];
  const own = world.harbor.ids[type];
  const data = linkTo(to, target);
  const body = {
    type: wireTypeOf(type),
    id: own,
    relationships: { [wireFieldOf(type, field)]: { data } },
  };
  // A record's own to-one may be fixed: then it is refused whatever it is set to.
  const wrong: Cell['wrong'] = (answer) => (isRefused(answer) ? null : 'not refused');
  const ours = { type, wrong, isBlind: !world.mayRead(world.stranger, to, target), twin };
  return [
    theirs,
    {
      ...ours,
      name: `${name} of ours`,
      operation: { op: 'update', ref: refTo(type, own, field), data },
    },
    {
      ...ours,
      name: `${name} in ours`,
      operation: { op: 'update', ref: { type: wireTypeOf(type), id: own }, data: body },
    },
  ];
}

interface Mirror {
  readonly field: string;
  readonly of: TypeName;
  readonly inverse: string;
}

/** Members of theirs added, stated and taken out; and put into ours. */
function toManyWritings(
  world: World,
  town: Town,
  type: TypeName,
  { field, of, inverse }: Mirror,
): Writing[] {
  const isKnown = knows(type, 'update');
  const isSeen = isOpen(world, town, type);
  const id = town.ids[type];
  const who = world.candidates(town).find((one) => world.mayRead(one, type, id)) ?? null;
  const members = world.find
    .all(of, { [inverse]: id })
    .map((one) => one.id)
    .filter((one) => who !== null && world.mayRead(who, of, one));
  const bodies: readonly (readonly [Op, readonly string[]])[] = [
    ['add', members.slice(0, 1)],
    ['update', members],
    ['remove', [newId()]],
  ];
  const name = `${town.name} ${wireTypeOf(type)}/…/relationships/${wireFieldOf(type, field)}`;
  const theirs = bodies.map(([op, ids]): Writing => {
    const data = ids.map((one) => linkTo(of, one));
    const operation: Operation = { op, ref: refTo(type, id, field), data };
    const twin =
      who === null || !isKnown ? { nobody: nobodyTo('update', type) } : { who, operation };
    const wrong = isSeen && isKnown ? () => null : refusedFor(isSeen, isKnown);
    return { type, name: `${name} ${op}`, operation, wrong, isBlind: !isSeen, twin };
  });
  const member = town.ids[of];
  if (isOpen(world, town, of) || !isKnown || type === of) return theirs;
  const own = isOpen(world, town, type) ? null : world.harbor.ids[type];
  if (own === null) return theirs;
  const operation: Operation = {
    op: 'add',
    ref: refTo(type, own, field),
    data: [linkTo(of, member)],
  };
  const wrong: Cell['wrong'] = ({ refusals }) =>
    ['invalid/reference', 'forbidden'].includes(refusals.join()) ? null : 'not refused';
  const twin = theirs[0]?.twin ?? { nobody: 'nobody may' };
  return [
    ...theirs,
    { type: of, name: `${name} into ours`, operation, wrong, isBlind: true, twin },
  ];
}
