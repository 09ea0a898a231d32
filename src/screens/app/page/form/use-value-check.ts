import { wireFieldOf } from '#protocol/names.ts';
import { normalise } from '#rules/valid/index.ts';
import { brokenValue } from '#rules/valid/value.ts';
import { attributesOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { useProblemText } from '../changes/problem-text.ts';

/** A value of a field, as a record has it. */
interface CheckedValue {
  readonly name: string;
  readonly value: unknown;
  readonly isRequired: boolean;
}

/**
 * Says what is wrong with a value by the rules of its resource, as the server does; null: nothing.
 * `missing` is said instead where there must be a value and is none.
 */
export function useValueCheck(
  type: TypeName,
): (checked: CheckedValue, missing?: string) => string | null {
  const { clock } = useUiEnvironment();
  const reasonOf = useProblemText();
  return ({ name, value, isRequired }, missing) => {
    const at = new Date(clock()).toISOString();
    const stored = normalise(type, { [name]: value }, at)[name] ?? null;
    const isMissing = isRequired && (stored === null || isBlank(stored));
    const attribute = attributesOf(type).find(([other]) => other === name)?.[1];
    const broken = attribute === undefined ? null : brokenValue(name, attribute, stored);
    const rule = isMissing ? 'required' : broken?.rule;
    if (rule === undefined) return null;
    if (rule === 'required' && missing !== undefined) return missing;
    const pointer = `/data/attributes/${wireFieldOf(type, name)}`;
    return reasonOf({ code: 'invalid', source: { pointer }, meta: { ...broken?.meta, rule } });
  };
}

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';
