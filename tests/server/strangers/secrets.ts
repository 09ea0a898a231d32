/** Texts that must not reach a stranger: ids, and values that stand nowhere else. */
export class Secrets {
  readonly #labels = new Map<string, string>();

  add(text: string, label: string): void {
    this.#labels.set(text, label);
  }

  /** Frees the secrets in `text`: they belong to something public. */
  free(text: string): void {
    for (const secret of this.#labels.keys())
      if (text.includes(secret)) this.#labels.delete(secret);
  }

  /** Returns the labels of the secrets in `answer`, except for what the request itself had. */
  in(answer: string, sent = ''): string[] {
    const found: string[] = [];
    for (const [text, label] of this.#labels)
      if (answer.includes(text) && !sent.includes(text)) found.push(label);
    return found;
  }
}

let counted = 0;

/** Short enough for every line, and in no other text. */
export function aMark(town: string): string {
  counted += 1;
  return `zq${town.slice(0, 3)}${counted.toString(36).padStart(4, '0')}qz`;
}

const FAR = 7_310_000_000_000;
const LONG_AGO = Date.UTC(1931, 0, 1);

/** A number that is in no other text. */
export function anInt(): number {
  counted += 1;
  return FAR + counted * 1_000_003;
}

/** A moment that is in no other text. */
export function anInstant(): string {
  counted += 1;
  return new Date(LONG_AGO + counted * 86_412_345).toISOString();
}
