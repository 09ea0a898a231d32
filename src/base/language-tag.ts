/** Scripts that are written from right to left. */
const LEFTWARD = new Set(
  'Adlm Arab Aran Hebr Mand Mani Mend Nkoo Rohg Samr Syrc Syre Syrj Syrn Thaa Yezi'.split(' '),
);
const TAG = /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i;

/** The language that a folder of this name holds, in its usual spelling; null: it is no language. */
export function languageFolder(name: string): string | null {
  return TAG.test(name.replaceAll('_', '-')) ? languageTag(name) : null;
}

/** `tag` in its usual spelling ("es_mx" is "es-MX"); null when it is no language tag. */
export function languageTag(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag.trim().replaceAll('_', '-'))[0] ?? null;
  } catch {
    return null;
  }
}

export function directionOf(language: string): 'ltr' | 'rtl' {
  const { script } = new Intl.Locale(language).maximize();
  return script !== undefined && LEFTWARD.has(script) ? 'rtl' : 'ltr';
}

/** The language's name for itself, or its tag when it is not known. */
export function ownName(language: string): string {
  const name = new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
  const [first = '', ...rest] = name;
  return first.toLocaleUpperCase(language) + rest.join('');
}

/** The language of a tag, without region and the like. */
export const primaryOf = (tag: string): string => tag.split('-', 1).join();

/** The best of `offered` for `wanted`: the same tag, else the same language; null when none is. */
export function bestOf<T extends string>(offered: Iterable<T>, wanted: string): T | null {
  const all = [...offered];
  const whole = wanted.toLowerCase();
  const first = primaryOf(whole);
  return (
    all.find((tag) => tag.toLowerCase() === whole) ??
    all.find((tag) => primaryOf(tag.toLowerCase()) === first) ??
    null
  );
}
