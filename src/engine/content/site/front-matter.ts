/** Takes the lines between `---` at the top apart from the text below them. */
export function splitFrontMatter(source: string): { matter: string; text: string } {
  const text = source.replace(/^\uFEFF/, '');
  const lines = text.split('\n');
  if (lines[0]?.trim() !== '---') return { matter: '', text };
  const end = lines.findIndex((line, i) => i > 0 && /^(---|\.\.\.)\s*$/.test(line));
  // Without an end it is a line across the page, as Markdown has it.
  if (end < 0) return { matter: '', text };
  return { matter: lines.slice(1, end).join('\n'), text: lines.slice(end + 1).join('\n') };
}

/** `title` and `order` of a page; read forgivingly, as people forget quotes around a colon. */
export function frontMatter(matter: string): { title: string | null; order: number | null } {
  const valueOf = (key: string): string | null => {
    const line = matter.split('\n').find((each) => each.startsWith(`${key}:`));
    const value = line?.slice(key.length + 1).trim() ?? '';
    return value.replace(/^(["'])(.*)\1$/, '$2').trim() || null;
  };
  const order = Number(valueOf('order') ?? NaN);
  return {
    title: valueOf('title')?.slice(0, 250) ?? null,
    order: Number.isNaN(order) ? null : order,
  };
}
