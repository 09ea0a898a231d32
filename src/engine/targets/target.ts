import type { AppFile } from '../content/app-file.ts';
import type { BuiltSite } from '../content/site/render.ts';
import type { Log } from '../build/log.ts';
import type { BuildOrder, BuiltFile } from '../build/order.ts';
import type { Icon } from './icon.ts';

/** Everything that a target makes its files from. */
export interface BuildInput {
  readonly order: BuildOrder;
  readonly app: AppFile;
  /** The app's name in its own language. */
  readonly name: string;
  readonly site: BuiltSite;
  readonly icon: Icon;
  /** The folder for results. */
  readonly out: string;
  readonly log: Log;
}

/** Makes one kind of product. @throws BuildFailure when it cannot be made here */
export type BuildTarget = (work: BuildInput) => Promise<readonly BuiltFile[]>;
