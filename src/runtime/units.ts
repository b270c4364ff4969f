export * from '../base/units.ts';
