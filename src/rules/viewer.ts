/** Who is asking, as far as permissions need to know (domain 2.1). */
export interface Viewer {
  readonly id: string;
  readonly isSuperAdmin: boolean;
  /** Organizations by membership. */
  readonly memberOf: ReadonlySet<string>;
  /** Organizations where the role counts: held together with a membership (P2). */
  readonly adminOf: ReadonlySet<string>;
  readonly builderIn: ReadonlySet<string>;
  readonly authorIn: ReadonlySet<string>;
  /** Groups, of organizations of which the viewer is a member. */
  readonly groups: ReadonlySet<string>;
}
