/** Why a build cannot succeed, as one sentence for its record. Everything else thrown is a bug. */
export class BuildFailure extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'BuildFailure';
  }
}
