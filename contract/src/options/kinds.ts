import { z } from 'zod'
import { role } from '../access.ts'

export interface Words {
  readonly zh: string
  readonly en: string
}

/** How the settings screen draws an option. */
export type Control = 'flag' | 'integer' | 'decimal' | 'text' | 'longText' | 'secret' | 'json' | 'choice' | 'lines'

/**
 * One option: everything that server, console and reference pages need (design §4). Options are stored as text rows;
 * an absent row means `fallback`.
 */
export interface Option<T = unknown> {
  readonly control: Control
  readonly fallback: T
  readonly label: Words
  readonly help?: Words
  readonly unit?: string
  readonly choices?: readonly { value: string; label: Words }[]
  /** Never leaves the server. */
  readonly secret: boolean
  /** Least role that may write it; reading the list needs an admin. */
  readonly write: number
  /** Name under which `GET /api/status` publishes it. */
  readonly status?: string
  /** Sentence shown before a risky change is saved. */
  readonly risk?: Words
  readonly schema: z.ZodType<T>
  /** Reads stored text. Returns the reason when it cannot be used. */
  read(text: string): { ok: true; value: T } | { ok: false; reason: string }
  /** Writes a value as the text that is stored and listed. */
  print(value: T): string
}

interface Common<T> {
  fallback: T
  label: Words
  help?: Words
  status?: string
  write?: number
  risk?: Words
}

const reasonOf = (error: z.ZodError): string =>
  error.issues.map((issue) => [issue.path.join('.'), issue.message].filter(Boolean).join(': ')).join('; ')

const make = <T>(
  control: Control,
  given: Common<T>,
  schema: z.ZodType<T>,
  fromText: (text: string) => unknown,
  toText: (value: T) => string,
  more: Partial<Option<T>> = {},
): Option<T> => ({
  control,
  fallback: given.fallback,
  label: given.label,
  ...(given.help ? { help: given.help } : {}),
  ...(given.status ? { status: given.status } : {}),
  ...(given.risk ? { risk: given.risk } : {}),
  secret: false,
  write: given.write ?? role.root,
  schema,
  read: (text) => {
    let candidate: unknown
    try {
      candidate = fromText(text)
    } catch {
      return { ok: false, reason: '不是合法的 JSON 字符串' }
    }
    const parsed = schema.safeParse(candidate)
    return parsed.success ? { ok: true, value: parsed.data } : { ok: false, reason: reasonOf(parsed.error) }
  },
  print: toText,
  ...more,
})

/** `true` or `false`. */
export const flag = (given: Common<boolean>): Option<boolean> =>
  make('flag', given, z.boolean(), (text) => (text === 'true' ? true : text === 'false' ? false : text), String)

export const integer = (given: Common<number> & { min?: number; max?: number; unit?: string }): Option<number> => {
  const schema = z
    .int()
    .min(given.min ?? Number.MIN_SAFE_INTEGER)
    .max(given.max ?? Number.MAX_SAFE_INTEGER)
  return make('integer', given, schema, numberFrom, String, given.unit ? { unit: given.unit } : {})
}

export const decimal = (given: Common<number> & { min?: number; max?: number; unit?: string }): Option<number> => {
  const schema = z
    .number()
    .min(given.min ?? -Number.MAX_VALUE)
    .max(given.max ?? Number.MAX_VALUE)
  return make('decimal', given, schema, numberFrom, String, given.unit ? { unit: given.unit } : {})
}

const numberFrom = (text: string): unknown => (text.trim() === '' ? text : Number(text))

export const text = (given: Common<string> & { long?: boolean; schema?: z.ZodType<string> }): Option<string> =>
  make(
    given.long ? 'longText' : 'text',
    given,
    given.schema ?? z.string().max(100_000),
    (value) => value,
    (value) => value,
  )

/** An address, empty or http(s), without its trailing slash. */
export const address = (given: Common<string>): Option<string> =>
  text({
    ...given,
    schema: z
      .string()
      .regex(/^$|^https?:\/\/\S+$/)
      .transform((value) => value.replace(/\/+$/, '')),
  })

/** Stored encrypted, never listed; saving an empty text removes it. */
export const secret = (given: Omit<Common<string>, 'fallback'>): Option<string> =>
  make(
    'secret',
    { ...given, fallback: '' },
    z.string().max(10_000),
    (value) => value,
    (value) => value,
    { secret: true },
  )

export const choice = <const C extends string>(
  given: Common<C> & { choices: readonly { value: C; label: Words }[] },
): Option<C> => {
  const values = given.choices.map((entry) => entry.value)
  const schema = z.string().refine((value): value is C => (values as readonly string[]).includes(value), {
    message: `one of ${values.join(', ')}`,
  }) as unknown as z.ZodType<C>
  return make(
    'choice',
    given,
    schema,
    (value) => value,
    (value) => value,
    { choices: given.choices },
  )
}

/** One entry per line (or comma, as `separator` says); blanks are dropped. */
export const list = (
  given: Common<readonly string[]> & { separator?: ',' | '\n'; lowerCase?: boolean },
): Option<readonly string[]> => {
  const separator = given.separator ?? '\n'
  const split = (value: string): string[] =>
    value
      .split(separator)
      .map((entry) => (given.lowerCase ? entry.trim().toLowerCase() : entry.trim()))
      .filter((entry) => entry !== '')
  return make(separator === ',' ? 'text' : 'lines', given, z.array(z.string()), split, (value) => value.join(separator))
}

export const json = <T>(given: Common<T> & { schema: z.ZodType<T> }): Option<T> =>
  make(
    'json',
    given,
    given.schema,
    (value) => JSON.parse(value) as unknown,
    (value) => JSON.stringify(value, null, 2),
  )

export interface Section {
  readonly tab: 'operation' | 'ratelimit' | 'models' | 'system' | 'other'
  readonly title: Words
  readonly options: Readonly<Record<string, Option<unknown>>>
}

/** Keeps the options' own types while checking the section's shape. */
export const section = <const O extends Record<string, Option<unknown>>>(given: {
  tab: Section['tab']
  title: Words
  options: O
}): { tab: Section['tab']; title: Words; options: O } => given
