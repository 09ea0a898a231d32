export type RefusalReason =
  | 'not-a-zip'
  | 'damaged'
  | 'encrypted'
  | 'unsupported'
  | 'path'
  | 'link'
  | 'duplicate'
  | 'too-many'
  | 'too-large'
  | 'bomb'
  | 'empty';

/** A zip that is not taken: why, and which of its entries shows it. */
export class ContentRefused extends Error {
  readonly reason: RefusalReason;
  readonly entry: string | null;

  constructor(reason: RefusalReason, sentence: string, entry: string | null = null) {
    super(sentence);
    this.name = 'ContentRefused';
    this.reason = reason;
    this.entry = entry;
  }
}
