/** The global options as commander reads them: texts, checked in `read-globals.ts`. */
export interface RawGlobals {
  output?: string;
  json?: true;
  ndjson?: true;
  csv?: true;
  fields?: string;
  baseUrl?: string;
  demo?: true;
  maxCredits?: string;
  keep?: string;
  plan?: true;
  maxWait?: string;
  timeout?: string;
  /** False for --no-color. */
  color: boolean;
  /** False for --no-pager. */
  pager: boolean;
  quiet?: true;
  verbose?: true;
}
