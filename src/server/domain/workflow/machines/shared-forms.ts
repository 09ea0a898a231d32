/** The forms that are the same in every flow (domain 6.1). */
export const shared = {
  'Author Configuration': 'author-configuration',
  'Synchronize Data': 'synchronize-data',
  'Author Download': 'author-download',
  'Author Upload': 'author-upload',
  Published: 'published',
  Terminated: 'terminated',
} as const;
