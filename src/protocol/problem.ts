/** Every way the server can say no (wire 6). `code` is stable; title and detail are English. */
export const problems = {
  'invalid-document': [400, 'The document is not of the form that is asked for'],
  'invalid-parameter': [400, 'A parameter is not valid'],
  'unknown-parameter': [400, 'There is no such parameter'],
  'invalid-header': [400, 'A header is not valid'],
  'not-signed-in': [401, 'You must login. This could be due to a prior login expiring.'],
  'email-not-verified': [401, 'Please verify your email address'],
  'user-locked': [403, 'User is not Active'],
  'not-a-member': [403, 'You are not a member of that organization'],
  forbidden: [403, 'An error occurred: Forbidden. Please contact your organization administrator.'],
  'invite-expired': [403, 'The invitation has expired'],
  'invite-redeemed': [403, 'The invitation has been used already'],
  'invite-not-found': [404, 'There is no such invitation'],
  'not-found': [404, 'There is nothing here'],
  'method-not-allowed': [405, 'That cannot be done at this address'],
  'not-acceptable': [406, 'The answer cannot be given in the form asked for'],
  'timed-out': [408, 'The request took too long to arrive'],
  'changed-elsewhere': [409, 'Someone else changed this'],
  'id-taken': [409, 'The id is in use'],
  'already-exists': [409, 'That exists already'],
  'wrong-target': [409, 'The record does not fit the address'],
  'in-use': [409, 'Others need this'],
  'not-ready': [409, 'The project is still being set up'],
  'action-not-allowed': [409, 'That cannot be done now'],
  'workflow-state-changed': [409, 'The workflow has moved on'],
  gone: [410, 'This was removed'],
  'cursor-expired': [410, 'The cursor cannot be continued'],
  'precondition-failed': [412, 'The record has another version'],
  'too-large': [413, 'The request is too large'],
  'unsupported-media-type': [415, 'The media type is not supported'],
  invalid: [422, 'The value is not valid'],
  'change-id-reused': [422, 'The change id was used for something else'],
  'not-tried': [424, 'Something that this depends on was refused'],
  'client-too-old': [426, 'This version of the app is too old'],
  'too-many-requests': [429, 'Too many requests'],
  internal: [500, 'Something went wrong on the server; nothing was changed'],
  unavailable: [503, 'The server cannot answer at the moment'],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string]>>;

export type ProblemCode = keyof typeof problems;

/** Say why an `invalid` value is not valid (wire 6.2). */
export const rules = [
  'required',
  'type',
  'too-long',
  'choice',
  'email',
  'url',
  'json',
  'shape',
  'range',
  'unknown',
  'reference',
  'mismatch',
  'no-membership',
  'needs-role',
  'not-enabled',
  'no-such-user',
  'already-member',
  'declined',
  'immutable',
] as const;

export type ValidationRule = (typeof rules)[number];

interface Source {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
}

/** A refusal: people can read it and a client can act on it. */
export interface Problem {
  readonly code: ProblemCode;
  readonly detail?: string;
  readonly source?: Source;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A refusal on the wire. */
export interface ErrorObject {
  readonly id: string;
  readonly status: string;
  readonly code: string;
  readonly title: string;
  readonly detail?: string;
  readonly source?: Source;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Carries one or more Problems of one status up to whoever answers. Everything else is a bug. */
export class ProblemError extends Error {
  readonly problems: readonly [Problem, ...Problem[]];
  /** Headers that go with the answer, such as `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    all: Problem | readonly [Problem, ...Problem[]],
    headers: Readonly<Record<string, string>> = {},
  ) {
    const list = 'code' in all ? ([all] as const) : all;
    super(list.map(({ code, detail }) => detail ?? code).join('; '));
    this.name = 'ProblemError';
    this.problems = list;
    this.headers = headers;
  }

  get problem(): Problem {
    return this.problems[0];
  }
}

/** The status that `error` is answered with. */
export function statusOf({ problem }: ProblemError): number {
  return problems[problem.code][0];
}

/** A broken rule of a value: `invalid` at `pointer`. */
export function invalid(
  pointer: string,
  rule: ValidationRule,
  meta: Readonly<Record<string, unknown>> = {},
): Problem {
  return { code: 'invalid', source: { pointer }, meta: { rule, ...meta } };
}

/** `problem` as it travels; `id` is also the request's. */
export function errorObject({ code, detail, source, meta }: Problem, id: string): ErrorObject {
  const [status, title] = problems[code];
  return {
    id,
    status: String(status),
    code,
    title,
    ...(detail === undefined ? {} : { detail }),
    ...(source === undefined ? {} : { source }),
    ...(meta === undefined ? {} : { meta }),
  };
}
