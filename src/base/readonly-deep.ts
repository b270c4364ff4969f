/** A type whose fields cannot be assigned, however deep they lie. */
export type ReadonlyDeep<T> = T extends object
  ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> }
  : T;
