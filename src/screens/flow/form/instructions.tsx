interface Block {
  readonly is: 'paragraph' | 'steps' | 'points';
  readonly lines: string[];
}

/** Lines that begin with a number are steps, with a dash points; all others paragraphs. */
function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  for (const line of text.split('\n')) {
    const [, number, rest] = /^(?:(\d+)\.|-)\s+(\S.*|)$/.exec(line) ?? [];
    const is = rest === undefined ? 'paragraph' : number === undefined ? 'points' : 'steps';
    const last = blocks.at(-1);
    if (last?.is === is && is !== 'paragraph') last.lines.push(rest ?? line);
    else blocks.push({ is, lines: [rest ?? line] });
  }
  return blocks;
}

/** Says what to do in a step, as it is written among the texts. */
export function Instructions({ text }: { readonly text: string }) {
  return (
    <div className="instructions">
      {blocksOf(text).map(({ is, lines }, at) => {
        if (is === 'paragraph') return <p key={at}>{lines[0]}</p>;
        const List = is === 'steps' ? 'ol' : 'ul';
        return (
          <List key={at}>
            {lines.map((line, index) => (
              <li key={index}>{line}</li>
            ))}
          </List>
        );
      })}
    </div>
  );
}
