import { isObject } from '#base/is-object.ts';

/** The builds that were asked for in a week. */
export interface BuildWeek {
  /** Its Monday, in UTC: `2026-03-02`. */
  readonly begins: string;
  readonly built: number;
  readonly failed: number;
  readonly building: number;
}

/** How long products waited in a step of their workflows. */
export interface StepWait {
  /** The name of the state. */
  readonly state: string;
  /** How often it was left. */
  readonly count: number;
  readonly medianMs: number;
}

/** `GET /api/organizations/{id}/build-figures` (wire 11.16). */
export interface BuildFigures {
  /** The oldest first, one without builds too; the last one is under way. */
  readonly weeks: readonly BuildWeek[];
  /** The longest wait first. */
  readonly steps: readonly StepWait[];
}

export const buildFiguresPath = (organization: string): string =>
  `/api/organizations/${organization}/build-figures`;

/** Reads the answer; null: it is of another form. */
export function buildFiguresFrom(value: unknown): BuildFigures | null {
  return isObject(value) && Array.isArray(value.weeks) && Array.isArray(value.steps)
    ? { weeks: value.weeks as BuildWeek[], steps: value.steps as StepWait[] }
    : null;
}
