type Formats<O, F> = new (language: string, options: O) => F;

const made = new Map<string, unknown>();

/**
 * Returns the formatter of `Intl` for a language and options, made once: making one takes longer
 * than drawing a row.
 */
export function formatter<O, F>(Format: Formats<O, F>, language: string, options: O): F {
  const key = `${Format.name} ${language} ${JSON.stringify(options)}`;
  const known = made.get(key) as F | undefined;
  if (known !== undefined) return known;
  const format = new Format(language, options);
  made.set(key, format);
  return format;
}
