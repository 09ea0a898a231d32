import { expect } from 'chai';
import {
  errorObject,
  invalid,
  ProblemError,
  problems,
  rules,
  statusOf,
} from '#protocol/problem.ts';
import type { ProblemCode } from '#protocol/problem.ts';

describe('a refusal', () => {
  const codes = Object.keys(problems) as ProblemCode[];

  it('has a code in words, a status of an error, and a sentence', () => {
    expect(codes.length).to.be.greaterThan(30);
    for (const code of codes) {
      const [status, title] = problems[code];
      expect(code).to.match(/^[a-z]+(-[a-z]+)*$/);
      expect(status).to.be.within(400, 599);
      expect(title, code).to.match(/^[A-Z].{8,}/);
    }
  });

  it('travels with status, code, title and the id of the request, and no member that is empty', () => {
    for (const code of codes) {
      const travels = JSON.parse(JSON.stringify(errorObject({ code }, 'r1'))) as unknown;
      const [status, title] = problems[code];
      expect(travels).to.deep.equal({ id: 'r1', status: String(status), code, title });
    }
  });

  it('of a value names the rule, what the rule needs, and the place', () => {
    const problem = invalid('/data/attributes/name', 'too-long', { limit: 250 });

    expect(statusOf(new ProblemError(problem))).to.equal(422);
    expect(errorObject(problem, 'r1')).to.deep.include({
      code: 'invalid',
      source: { pointer: '/data/attributes/name' },
      meta: { rule: 'too-long', limit: 250 },
    });
    expect(new Set(rules).size).to.equal(rules.length);
  });
});
