import type { Of } from '#schema/index.ts';
import type { ImportFile } from '../valid/import-file.ts';

/**
 * The result of one project of an import's file; kept as `report` in the order of the file (wire).
 */
export interface ProjectLine {
  readonly name: string;
  readonly project: string | null;
  readonly outcome: 'created' | 'exists' | 'failed';
  /** Says why it failed: a problem's code. */
  readonly reason?: string;
  /** The products of a new project, once its repository is made. */
  readonly products?: readonly ProductLine[];
}

/** The result of a product of the file in one of the new projects. */
export interface ProductLine {
  readonly name: string;
  readonly outcome: 'created' | 'failed';
  readonly reason?: string;
}

/** The server alone writes reports. */
export function linesOf({ report }: Pick<Of<'projectImport'>, 'report'>): readonly ProjectLine[] {
  return (report ?? []) as unknown as readonly ProjectLine[];
}

/** Says whether its products are still to be made. */
export function lacksProducts({ outcome, products }: ProjectLine, file: ImportFile): boolean {
  return outcome === 'created' && products === undefined && file.products.length > 0;
}

/** Counts the projects that came to each outcome. */
export function countsOf(lines: readonly ProjectLine[]): {
  readonly created: number;
  readonly existing: number;
  readonly failed: number;
} {
  const count = (wanted: ProjectLine['outcome']) =>
    lines.filter(({ outcome }) => outcome === wanted).length;
  return { created: count('created'), existing: count('exists'), failed: count('failed') };
}
