/** Texts of screens that come late: the build puts them into files of their own. */
declare module '*.json?late' {
  const texts: Readonly<Record<string, string>>;
  export default texts;
}
