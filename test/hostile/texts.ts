/** Text that tries to act on whoever shows it, and resources of it. */
import { type DocumentedField, fieldsOf, type ResourceName } from '../support/document.ts';

/** By what it would do. */
export const HOSTILE: Readonly<Record<string, string>> = {
  'clears the screen': 'a\u001b[2J\u001b[Hb',
  'sets the title': '\u001b]0;owned\u0007x',
  'sets the clipboard': '\u001b]52;c;cm0gLXJm\u001b\\x',
  'draws a link': '\u001b]8;;http://evil.example\u001b\\click\u001b]8;;\u001b\\',
  'answers back': '\u001b[6n\u001b[c\u0005',
  'uses C1': '\u009b31m\u009d0;x\u009c\u0090q\u009c',
  'uses C0': '\u0000\u0007\b\u000b\f\u000e\u000f\u007f',
  'returns to the start of the line': 'good\rbad',
  'starts a line': 'a\nerror: all is lost\r\nb',
  'starts a paragraph': 'a\u2028b\u2029c\u0085d',
  reorders: '\u202edetsurt\u202c \u2066x\u2069\u200f',
  hides:
    'BTC\u200bUSDT\u200d\u2060\ufeff\u00ad\u{e0041}\u180e\u034f\u2065\u3164\ufe0f\u{e0100}\u{e0fff}',
  'is a formula': '=HYPERLINK("http://evil.example","x")',
  'is a formula behind a separator': 'a;=1+1\t=2+2',
  'is a formula behind white space': ' \t\n=1+1',
  'is a command': "=cmd|' /C calc'!A0",
  'is signed': '+1+1',
  'is wide': '＝1＋1',
  'begins with a tab': '\t=1',
  'breaks CSV': 'a","b\r\n=1+1,"',
  'breaks JSON': '"}],"x":[{"\\',
  'is half a character': '\ud800x\udfff',
  'is a command line': '$(touch pwned)`touch pwned`;touch pwned|x&\'"\\',
};

export type Json = Record<string, unknown>;

/** A valid resource with `text` in every string field, in every key the document leaves open, and in unknown fields. */
export function resourceOf(name: ResourceName, text: string): Json {
  const known = fieldsOf(name).map((field) => [field.name, valueOfType(field, text)]);
  return {
    ...Object.fromEntries(known),
    [`extra ${text}`]: text,
    nested: { [text]: [text, { [text]: text }] },
  };
}

function valueOfType({ type, least, allowed }: DocumentedField, text: string): unknown {
  if (type.startsWith('[')) {
    const bare = {
      name: '',
      nullable: false,
      optional: false,
      most: undefined,
      allowed: undefined,
    };
    const inner = { ...bare, type: type.slice(1, -1), least };
    return [valueOfType(inner, text), valueOfType(inner, text)];
  }
  const integer = allowed === undefined ? Math.max(1, least ?? 1) : Number(allowed[0]);
  const scalars = {
    string: text,
    boolean: true,
    time: '2026-11-19T18:00:00Z',
    integer,
    number: -1.5,
  };
  const plain: Json = { ...scalars, object: { [text]: text }, numbers: { [text]: -1.5 } };
  return plain[type] ?? resourceOf(type as ResourceName, text);
}

/** What a terminal would act on, or hide, apart from line ends; colours (SGR) may stand where `colors` says so. */
export function actsOnTerminal(text: string, colors = false): string | undefined {
  const shown = (colors ? text.replace(/\u001b\[[\d;]*m/g, '') : text).replace(/\r+\n/g, '\n');
  const found = /[^\n\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/u.exec(
    shown,
  );
  return found === null
    ? undefined
    : JSON.stringify(shown.slice(Math.max(0, found.index - 40), found.index + 20));
}
