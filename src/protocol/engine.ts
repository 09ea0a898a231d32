/**
 * The calls that Slipway makes to a build engine, whichever it is (domain 11.1). Every call rejects
 * with an `EngineError` when the engine gives no answer to it; anything else it rejects with is a
 * bug.
 */
export interface BuildEngine {
  /** Resolves when the engine is available. */
  check(): Promise<void>;
  createProject(request: ProjectRequest): Promise<EngineProject>;
  project(id: number): Promise<EngineProject>;
  /** The same `requestId` gives the same job with the bundled engine, however often it is sent. */
  createJob(request: JobRequest): Promise<EngineJob>;
  job(id: number): Promise<EngineJob>;
  /**
   * Builds come in the order of their ids: a caller that lost the answer to a new build finds it
   * here.
   */
  builds(job: number): Promise<readonly EngineBuild[]>;
  createBuild(job: number, request: BuildRequest): Promise<EngineBuild>;
  build(job: number, id: number): Promise<EngineBuild>;
  /**
   * The bundled engine answers with the same release while one is under way or its answer was lost.
   */
  createRelease(job: number, build: number, request: ReleaseRequest): Promise<EngineRelease>;
  release(job: number, build: number, id: number): Promise<EngineRelease>;
  /** Describes the file at an address that the engine gave; null when it cannot be asked. */
  head(url: string): Promise<FileHead | null>;
  /** A file of at most `ARTIFACT_MOST_BYTES` as UTF-8; null when it cannot be had. */
  text(url: string): Promise<string | null>;
}

export interface ProjectRequest {
  readonly appId: string;
  readonly projectName: string;
  readonly languageCode: string;
}

export interface JobRequest {
  /** The id of the product. */
  readonly requestId: string;
  /** The address of the project that the engine made. */
  readonly gitUrl: string;
  readonly appId: string;
  /** Name of the store; null without one. */
  readonly publisherId: string | null;
}

export interface BuildRequest {
  readonly targets: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface ReleaseRequest extends BuildRequest {
  readonly channel: string;
  /** Releases of the build that are known already; an engine elsewhere does not get them. */
  readonly heard?: readonly number[];
}

/** The status of a task at the engine; `engineJobStateOf` says what it means. */
interface EngineTaskStatus {
  readonly id: number;
  readonly status: string;
  readonly result: string | null;
  readonly error: string | null;
}

export interface EngineProject extends EngineTaskStatus {
  readonly url: string | null;
}

export interface EngineJob {
  readonly id: number;
  readonly requestId: string | null;
  readonly gitUrl: string | null;
  readonly publisherId: string | null;
}

/** Addresses of files by type: `http(s)`, or of the bundled engine `bundled:`. */
export type Artifacts = Readonly<Record<string, string>>;

export interface EngineBuild extends EngineTaskStatus {
  readonly targets: string | null;
  readonly artifacts: Artifacts;
  /** The time of its last change; ISO. */
  readonly updated: string | null;
  /**
   * When it was begun, and when it ended; ISO. Only the bundled engine gives them: the clock of
   * another machine is not ours.
   */
  readonly started: string | null;
  readonly finished: string | null;
  /** The last lines of the log; only the bundled engine gives them. */
  readonly logTail: string | null;
  /** Its log can be read as it grows (`BundledEngine.runningLog`); never of an engine elsewhere. */
  readonly hasLog: boolean;
  /** The number of builds ahead, null once it has begun; only the bundled engine gives it. */
  readonly queuePosition: number | null;
}

export interface EngineRelease extends EngineTaskStatus {
  readonly channel: string | null;
  readonly artifacts: Artifacts;
  /** Address of the console text. */
  readonly consoleText: string | null;
  readonly updated: string | null;
}

export interface FileHead {
  readonly sizeBytes: number | null;
  readonly contentType: string | null;
  /** The file's own time; ISO. */
  readonly updated: string | null;
}

export const ARTIFACT_MOST_BYTES = 1_048_576;

const sentences = {
  unreachable: 'The build engine cannot be reached',
  'no-usable-answer': 'The build engine gave no usable answer',
  unknown: 'The build engine does not know it',
  refused: 'The build engine refused the token',
  'address-not-allowed': 'The address of the build engine is not allowed',
} as const;

/** Every way in which a call can fail. */
export type EngineFailure = keyof typeof sentences;

/** Says nothing of addresses and tokens, so that it can be logged as it is. */
export class EngineError extends Error {
  readonly because: EngineFailure;

  constructor(because: EngineFailure) {
    super(sentences[because]);
    this.name = 'EngineError';
    this.because = because;
  }
}

const PHASES = ['initialized', 'accepted', 'active', 'postprocessing'] as const;
type Phase = (typeof PHASES)[number];

export type EngineJobState =
  | { readonly is: 'under way'; readonly phase: Phase }
  | { readonly is: 'succeeded' | 'failed' }
  /** No state that is known; it counts as failed when the next look finds none again. */
  | { readonly is: 'doubtful' };

/** Says what an answer means; `wasDoubtful`: the check before this one could not tell. */
export function engineJobStateOf(
  { status, result }: Pick<EngineTaskStatus, 'status' | 'result'>,
  wasDoubtful: boolean,
): EngineJobState {
  const phase = PHASES.find((each) => each === status);
  if (phase !== undefined) return { is: 'under way', phase };
  // Completed without a result contradicts itself: the engine may be writing one after the other.
  if (status === 'completed' && result !== null)
    return { is: result === 'SUCCESS' ? 'succeeded' : 'failed' };
  return { is: wasDoubtful ? 'failed' : 'doubtful' };
}
