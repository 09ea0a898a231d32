/**
 * The part of the protocol about the machine of a product's workflow; it comes late, with the
 * screens that show it.
 */

/** The addresses of super admins for one product's workflow (wire 11.7, decision 19). */
export const workflowPaths = {
  machine: (product: string) => `/api/products/${product}/workflow`,
  state: (product: string) => `/api/products/${product}/workflow/state`,
} as const;

/** The states and steps that a running workflow can ever come to. */
export interface MachineShape {
  readonly scheme: string;
  /** The states in which it can begin. */
  readonly starts: readonly string[];
  readonly states: readonly MachineState[];
  readonly steps: readonly MachineStep[];
}

interface MachineState {
  readonly name: string;
  /** Says who moves it on: people, the build engine, or nobody any more. */
  readonly kind: 'people' | 'engine' | 'final';
  /** A super admin may move the workflow there. */
  readonly isMovable: boolean;
}

export interface MachineStep {
  readonly from: string;
  readonly to: string;
  /** Null: it happens by itself. */
  readonly who: 'Owner' | 'OrgAdmin' | 'Author' | null;
  /** The command of people; what happens, of the others. */
  readonly given: string;
  readonly direction: 'forward' | 'back' | 'side';
}

/**
 * A move of a workflow by a super admin: to which state, why, and from the state that they saw it
 * in.
 */
export interface Move {
  readonly state: string;
  readonly comment: string;
  readonly from: string;
}
