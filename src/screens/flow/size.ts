export { sizeOf } from '#base/file-size.ts';
