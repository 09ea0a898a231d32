/** The part of opentype.js that is used; the package brings no types. */
declare module 'opentype.js' {
  interface Path {
    readonly getBoundingBox: () => {
      readonly x1: number;
      readonly y1: number;
      readonly x2: number;
      readonly y2: number;
    };
    readonly toPathData: (decimals: number) => string;
  }

  interface Font {
    readonly getPath: (text: string, x: number, y: number, size: number) => Path;
  }

  const opentype: { readonly parse: (font: ArrayBuffer) => Font };
  export { opentype as default };
}
