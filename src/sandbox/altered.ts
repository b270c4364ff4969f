import type { Behaviour } from './behaviour.ts';
import type { ApiResponse } from './response.ts';

/** The answer as this server words it: with its own fields, the key where it does not belong, or no Retry-After. */
export function altered(response: ApiResponse, behaviour: Behaviour, key: string): ApiResponse {
  const { 'retry-after': _when, ...others } = response.headers;
  return {
    ...response,
    headers: behaviour.retryAfter ? response.headers : others,
    body: withExtraField(behaviour.reflectKey ? withKey(response.body, key) : response.body, behaviour.extraField),
  };
}

/** In texts that a client may show: errors, and values the document does not list. */
function withKey(body: string, key: string): string {
  return body.replace(/"(errors|scope|plan|source_bot_type)":"([^"]*)"/g, `"$1":"$2 ${key}"`);
}

/** As text: JavaScript has no such integer. */
function withExtraField(body: string, isOn: boolean): string {
  if (!isOn) return body;
  return body
    .replace('"response":{', '"response":{"snowflake":7300000000000000001,')
    .replaceAll(/\{"id":(\d+),/g, (_, id: string) => `{"id":${id},"snowflake":${7300000000000000001n + BigInt(id)},`);
}

/** A named integer that no double holds: `repeat_count` of a card. */
export function withUnsafeInteger(response: ApiResponse): ApiResponse {
  return { ...response, body: response.body.replace(/"repeat_count":\d+/, '"repeat_count":9007199254740993') };
}
