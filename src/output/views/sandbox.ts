import * as v from 'valibot';
import { described } from '../../api/contract/primitives.ts';
import { fieldsOf } from '../described-fields.ts';

export const sandboxFields = fieldsOf(
  v.object({
    base_url: described(v.string(), 'for SCREENER_BASE_URL'),
    key: described(v.string(), 'for SCREENER_API_KEY'),
  }),
);
