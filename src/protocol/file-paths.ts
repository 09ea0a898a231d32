/** The browser's part of the addresses of files; it comes late, with the screens that use it. */

/** Every address that leads to a file (wire 12). */
export const filePaths = {
  /**
   * The file of an artifact; a browser asks for its `fileLink`, as for those of the others below.
   */
  artifactFile: (id: string) => `/api/product-artifacts/${id}/content`,
  repository: (project: string) => `/api/projects/${project}/repository`,
  /** Lists all that was uploaded to it; one of them has a `fileLink`. */
  uploads: (project: string) => `/api/projects/${project}/repository/uploads`,
  upload: (project: string, number: number) =>
    `/api/projects/${project}/repository/uploads/${number}`,
  /** Tells what is otherwise in an upload than in `base`; 0: than in none. */
  uploadChanges: (project: string, number: number, base: number) =>
    `/api/projects/${project}/repository/uploads/${number}/changes/${base}`,
  /** Takes a POST that uploads it once more, over the content that `If-Match` names. */
  restoreUpload: (project: string, number: number) =>
    `/api/projects/${project}/repository/uploads/${number}/restore`,
  sample: (project: string) => `/api/projects/${project}/repository/sample`,
  publishedFile: (product: string, type: string) =>
    `/api/products/${encodeURIComponent(product)}/files/published/${encodeURIComponent(type)}`,
  publishedApp: (product: string) => `/api/products/${encodeURIComponent(product)}/published`,
  /** A page for people; the others are for programs. */
  downloadPage: (product: string, type: string) =>
    `/downloads/products/${encodeURIComponent(product)}/files/published/${encodeURIComponent(type)}`,
  /** A page for people that names the host of a member's file, before they leave for it. */
  filePage: (file: string) => `/downloads${file.replace(/^\/api/, '')}`,
  fileLink: (file: string) => `${file}/link`,
} as const;

/** The types of artifacts that are one page to look at before anybody unpacks or installs a file. */
export const PREVIEWS = ['preview', 'asset-preview', 'play-listing'] as const;

/** The address to which a browser goes for a file (wire 12). */
export interface FileLink {
  readonly url: string;
  /** Null: it is a page, or lies with a build engine elsewhere, which knows. */
  readonly expiresAt: string | null;
  readonly filename: string;
  readonly sizeBytes: number | null;
}

/**
 * Says whether content is given to the bundled engine, by the address of a project's repository.
 */
export const isBundled = (repository: string): boolean => repository.startsWith('bundled:');

/** One upload of a project's content. */
export interface Uploaded {
  /** Counted from 1 in each project. */
  readonly number: number;
  readonly sizeBytes: number;
  /** ISO. */
  readonly at: string;
  /** Id of the user; null where that is not known. */
  readonly by: string | null;
  /** The name that it had on the device that it came from. */
  readonly filename: string | null;
  readonly isSample: boolean;
  /** The tag for `If-Match` of somebody who means to replace it. */
  readonly tag: string;
  /** The number of the upload that it is a copy of; null: it is none. */
  readonly restored: number | null;
  /** Against the upload before; null where that was not counted. */
  readonly changes: ChangeCounts | null;
}

/** How many files differ between two versions of a project's content. */
export interface ChangeCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** A file that differs. */
export interface FileChange {
  readonly path: string;
  readonly is: keyof ChangeCounts;
  /** Unpacked; of a removed file as it was. */
  readonly sizeBytes: number;
}

/** What differs between two versions; of the files the first ones, those that were added first. */
export interface ContentChanges extends ChangeCounts {
  readonly files: readonly FileChange[];
}
