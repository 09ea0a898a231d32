/** Language, script, region, one variant: Android tells resources apart by these. */
const TAG = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?(-([a-z\d]{5,8}|\d[a-z\d]{3}))?$/i;

/** Phones know some languages by the codes they once had. */
const FORMER: Readonly<Record<string, string>> = { he: 'iw', id: 'in', yi: 'ji' };

/**
 * The qualifiers of the resources of a language, such as `b+es+419`; several where phones do not
 * agree. None: there is no way to mark them.
 */
export function qualifiersOf(language: string): readonly string[] {
  if (!TAG.test(language) || language === 'und') return [];
  const [code = '', ...rest] = language.split('-');
  const former = FORMER[code];
  const codes = former === undefined ? [code] : [code, former];
  return codes.map((each) => ['b', each, ...rest].join('+'));
}
