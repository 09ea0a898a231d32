/** Says in one sentence why a build cannot succeed, for its record. Any other error is a bug. */
export class BuildFailure extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'BuildFailure';
  }
}
