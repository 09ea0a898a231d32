import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { attributesOf, resourceOf, toOnesOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Verb, WritePhase } from '#schema/define.ts';

/** When a person may set a field of `type`; blank: never. */
function whenSet(type: TypeName, write: WritePhase): string {
  const { verbs } = resourceOf(type);
  const isSet = (verb: Verb & WritePhase) =>
    verbs.includes(verb) && (write === 'always' || write === verb);
  return [isSet('create') ? 'created' : '', isSet('update') ? 'changed' : '']
    .filter((when) => when !== '')
    .join(', ');
}

/** What `docs/input.md` says of the fields of `type` that a person may set, one line each. */
export function inputRowsOf(type: TypeName): readonly string[] {
  const fields = [
    ...attributesOf(type).map(([name, field]) => {
      const { kind, choices, limit } = field;
      const what = choices?.map((choice) => `\`${choice}\``).join(' ') ?? kind;
      return { name, field, what, most: choices === null ? (limit ?? '') : '' };
    }),
    ...toOnesOf(type).map(([name, field]) => {
      return { name, field, what: `one of the ${wireTypeOf(field.to)}`, most: '' };
    }),
  ];
  return fields.flatMap(({ name, field: { write, mustHave }, what, most }) => {
    const when = whenSet(type, write);
    const needed = mustHave ? 'yes' : '';
    return when === ''
      ? []
      : [`| ${wireFieldOf(type, name)} | ${what} | ${most} | ${needed} | ${when} |`];
  });
}
