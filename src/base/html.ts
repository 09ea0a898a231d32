/** This is HTML that can be put into a page as it is. */
export interface Html {
  readonly html: string;
}

/** A template escapes its values, unless they are HTML themselves; lists are joined. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html {
  const text = (value: string | Html | readonly Html[]): string => {
    if (typeof value === 'string') return escapeHtml(value);
    return 'html' in value ? value.html : value.map(({ html: part }) => part).join('');
  };
  const [first = '', ...rest] = parts;
  return { html: rest.reduce((all, part, i) => all + text(values[i] ?? '') + part, first) };
}

export const nothing: Html = { html: '' };

/** The returned text reads the same as `value` inside HTML, in text and in attributes. */
export function escapeHtml(value: string): string {
  const names = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' } as const;
  return value.replace(/[&<>"']/g, (sign) => names[sign as keyof typeof names]);
}
