/** Texts of screens that come late: the build puts them into files of their own. */
declare module '*.json?late' {
  const texts: Readonly<Record<string, string>>;
  // eslint-disable-next-line no-restricted-syntax -- what a JSON module offers has no other name
  export default texts;
}
