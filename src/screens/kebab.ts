export { kebab } from '#base/kebab.ts';
