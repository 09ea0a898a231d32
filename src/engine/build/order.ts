import type { SigningKey } from '../android/certificate.ts';

/**
 * An order to build something, with everything a build may know. Plain data: it travels to the
 * child process.
 */
export interface BuildOrder {
  /** Path of the project's zip. */
  readonly content: string;
  /** An empty working folder of this build's own; what is made stands in its `out`. */
  readonly folder: string;
  /** Words such as `pwa`; one that is not known fails the build. */
  readonly targets: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly version: { readonly name: string; readonly code: number };
  /** ISO instant of the build, the only time that goes into files: same input, same bytes. */
  readonly at: string;
  /** The identity of apps that phones install. Secret: nothing of it is for logs. */
  readonly identity?: AppIdentity;
}

/** The identity that makes a build a newer one of the same app. */
export interface AppIdentity extends SigningKey {
  readonly packageName: string;
}

/** A file that a build made, known by its type (`pwa`, `about`, `consoleText`…). */
export interface BuiltFile {
  readonly type: string;
  /** Absolute. */
  readonly path: string;
  readonly filename: string;
  readonly contentType: string;
}

export interface BuildResult {
  readonly success: boolean;
  /** One sentence in English, for the record; null when it succeeded. */
  readonly error: string | null;
  /** The files and the log; after a failure the files that were finished by then. */
  readonly artifacts: readonly BuiltFile[];
}
