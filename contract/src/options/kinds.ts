import { z } from 'zod'
import { role } from '../accounts/access.ts'
import { ownMember } from '../own-member.ts'

export interface BilingualText {
  readonly zh: string
  readonly en: string
}

/** How the settings screen draws an option. */
export type Control =
  | 'flag'
  | 'integer'
  | 'decimal'
  | 'text'
  | 'longText'
  | 'secret'
  | 'json'
  | 'choice'
  | 'lines'
  | 'tags'

export type OptionReading<T> = { ok: true; value: T } | { ok: false; reason: BilingualText }

/** A flag can only be switched on while each of `keys` holds something. */
export interface Requirement {
  readonly keys: readonly string[]
  readonly text: BilingualText
}

/**
 * One option: everything that server, console and reference pages need. Options are stored as text rows; an absent row
 * means `fallback`.
 */
export interface Option<T = unknown> {
  readonly control: Control
  readonly fallback: T
  readonly label: BilingualText
  readonly help?: BilingualText
  /** The values that are allowed; the reason in the refusal of any other value. */
  readonly allowed: BilingualText
  readonly unit?: string
  /** Bounds of a number, both included. */
  readonly min?: number
  readonly max?: number
  readonly choices?: readonly { readonly value: string; readonly label: BilingualText }[]
  /** Stored encrypted and never leaves the server. */
  readonly secret: boolean
  /** Kept for existing databases and API clients; has no effect, and the console does not draw it. */
  readonly hidden: boolean
  /** Kept because existing API clients know it; drawn last in its section, marked as having no effect. */
  readonly inert: boolean
  /** Least role that finds it in the list of options. */
  readonly see: number
  /** Least role that may write it. */
  readonly write: number
  /** Name under which `GET /api/status` publishes it. */
  readonly status?: string
  /** Sentence shown before a risky change is saved: a flag that leaves its default, anything else that changes. */
  readonly risk?: BilingualText
  readonly requires?: Requirement
  readonly schema: z.ZodType<T>
  /** Reads stored text. Returns the reason when it cannot be used. */
  read(text: string): OptionReading<T>
  /** Writes a value as the text that is stored and listed. */
  print(value: T): string
}

interface Common<T> {
  fallback: T
  label: BilingualText
  help?: BilingualText
  status?: string
  see?: number
  write?: number
  risk?: BilingualText
  hidden?: boolean
  inert?: boolean
  requires?: Requirement
}

interface Kind<T> {
  control: Control
  allowed: BilingualText
  schema: z.ZodType<T>
  fromText(text: string): unknown
  toText(value: T): string
  more?: Partial<Option<T>>
}

const notJson: BilingualText = { zh: '不是合法的 JSON 字符串', en: 'Not valid JSON' }

/** The path inside a JSON value where it is wrong, then the allowed values. */
const reasonOf = (error: z.ZodError, allowed: BilingualText): BilingualText => {
  const place = error.issues[0]?.path.join('.') ?? ''
  const at = place === '' ? '' : `${place}: `
  return { zh: `${at}${allowed.zh}`, en: `${at}${allowed.en}` }
}

const make = <T>(options: Common<T>, kind: Kind<T>): Option<T> => ({
  control: kind.control,
  fallback: options.fallback,
  label: options.label,
  ...(options.help ? { help: options.help } : {}),
  allowed: kind.allowed,
  ...(options.status ? { status: options.status } : {}),
  ...(options.risk ? { risk: options.risk } : {}),
  ...(options.requires ? { requires: options.requires } : {}),
  secret: false,
  hidden: options.hidden ?? false,
  inert: options.inert ?? false,
  see: options.see ?? role.admin,
  write: options.write ?? role.root,
  schema: kind.schema,
  read: (text) => {
    let candidate: unknown
    try {
      candidate = kind.fromText(text)
    } catch {
      return { ok: false, reason: notJson }
    }
    const parsed = kind.schema.safeParse(candidate)
    return parsed.success
      ? { ok: true, value: parsed.data }
      : { ok: false, reason: reasonOf(parsed.error, kind.allowed) }
  },
  print: kind.toText,
  ...kind.more,
})

const asIs = (value: string): string => value

const flagWords: Readonly<Record<string, boolean>> = { true: true, t: true, 1: true, false: false, f: false, 0: false }

/** Prints `true` or `false`; reads the usual spellings. */
export const flag = (options: Common<boolean>): Option<boolean> =>
  make(options, {
    control: 'flag',
    allowed: { zh: 'true 或 false', en: 'true or false' },
    schema: z.boolean(),
    fromText: (text) => ownMember(flagWords, text.trim().toLowerCase()) ?? text,
    toText: String,
  })

interface Bounds {
  min?: number
  max?: number
  unit?: string
}

const boundText = ({ min, max }: Bounds): BilingualText => {
  if (min === undefined && max === undefined) return { zh: '', en: '' }
  if (max === undefined) return { zh: `，不小于 ${min}`, en: `, at least ${min}` }
  if (min === undefined) return { zh: `，不大于 ${max}`, en: `, at most ${max}` }
  return { zh: `，${min} 到 ${max}`, en: ` from ${min} to ${max}` }
}

const numberFrom = (text: string): unknown =>
  /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : text

const numeric = (
  options: Common<number> & Bounds,
  schema: z.ZodNumber,
  control: 'integer' | 'decimal',
  name: BilingualText,
) => {
  const bounds = boundText(options)
  return make(options, {
    control,
    allowed: { zh: `${name.zh}${bounds.zh}`, en: `${name.en}${bounds.en}` },
    schema: schema.min(options.min ?? -Number.MAX_VALUE).max(options.max ?? Number.MAX_VALUE),
    fromText: numberFrom,
    toText: String,
    more: {
      ...(options.unit === undefined ? {} : { unit: options.unit }),
      ...(options.min === undefined ? {} : { min: options.min }),
      ...(options.max === undefined ? {} : { max: options.max }),
    },
  })
}

export const integer = (options: Common<number> & Bounds): Option<number> =>
  numeric(options, z.int(), 'integer', { zh: '整数', en: 'A whole number' })

export const decimal = (options: Common<number> & Bounds): Option<number> =>
  numeric(options, z.number(), 'decimal', { zh: '数字', en: 'A number' })

const longest = 100_000

export const text = (
  options: Common<string> & { long?: boolean; schema?: z.ZodType<string>; allowed?: BilingualText },
): Option<string> =>
  make(options, {
    control: options.long ? 'longText' : 'text',
    allowed: options.allowed ?? { zh: `最多 ${longest} 个字符`, en: `At most ${longest} characters` },
    schema: options.schema ?? z.string().max(longest),
    fromText: asIs,
    toText: asIs,
  })

/** An address, empty or http(s), without its trailing slash. */
export const address = (options: Common<string>): Option<string> =>
  text({
    ...options,
    allowed: { zh: '留空，或以 http:// 或 https:// 开头的 URL', en: 'Empty, or an http:// or https:// URL' },
    schema: z
      .string()
      .trim()
      .max(2_000)
      .regex(/^$|^https?:\/\/[^\s/]\S*$/i)
      .transform((value) => value.replace(/\/+$/, '')),
  })

/** Stored encrypted, never listed; saving an empty text removes it. */
export const secret = (options: Omit<Common<string>, 'fallback'>): Option<string> =>
  make(
    { ...options, fallback: '' },
    {
      control: 'secret',
      allowed: { zh: '最多 10000 个字符', en: 'At most 10000 characters' },
      schema: z.string().max(10_000),
      fromText: asIs,
      toText: asIs,
      more: { secret: true },
    },
  )

export const choice = <const C extends string>(
  options: Common<C> & { choices: readonly { value: C; label: BilingualText }[] },
): Option<C> => {
  const values = options.choices.map((entry) => entry.value)
  return make<C>(options, {
    control: 'choice',
    allowed: { zh: `${values.join('、')} 之一`, en: `One of ${values.join(', ')}` },
    schema: z.enum(values) as z.ZodType<C>,
    fromText: asIs,
    toText: asIs,
    more: { choices: options.choices },
  })
}

/** The id of a row, as an entry of a list. */
export const idEntry = z.string().regex(/^[1-9]\d{0,14}$/)

/** One entry per line (or comma, as `separator` says); blanks are dropped. */
export const list = (
  options: Common<readonly string[]> & {
    separator?: ',' | '\n'
    entry?: (text: string) => string
    each?: z.ZodType<string>
  },
): Option<readonly string[]> => {
  const separator = options.separator ?? '\n'
  const split = (value: string): string[] =>
    value
      .split(separator)
      .map((entry) => (options.entry ? options.entry(entry.trim()) : entry.trim()))
      .filter((entry) => entry !== '')
  return make(options, {
    control: separator === ',' ? 'tags' : 'lines',
    allowed:
      separator === ',' ? { zh: '以逗号分隔', en: 'Separated by commas' } : { zh: '每行一个', en: 'One per line' },
    schema: z.array(options.each ?? z.string()),
    fromText: split,
    toText: (value) => value.join(separator),
  })
}

/** `allowed` describes the shape, e.g. "group → ratio". */
export const json = <T>(options: Common<T> & { schema: z.ZodType<T>; allowed: BilingualText }): Option<T> =>
  make(options, {
    control: 'json',
    allowed: options.allowed,
    schema: options.schema,
    fromText: (value) => JSON.parse(value) as unknown,
    toText: (value) => JSON.stringify(value, null, 2),
  })

export type Tab = 'operation' | 'prices' | 'ratelimit' | 'models' | 'system' | 'other'

export interface Section {
  /** The section's page: `/setting/<name>`. */
  readonly name: string
  readonly tab: Tab
  readonly title: BilingualText
  /** A note above the fields; `{server}` is replaced by the server's address. */
  readonly note?: BilingualText
  /** Place of a module's section: behind a section of the kernel, the lowest position first. */
  readonly behind?: SectionPlace
  readonly options: Readonly<Record<string, Option<unknown>>>
}

export interface SectionPlace {
  /** Name of the section before it; one that does not exist stands for the end of the list. */
  readonly section: string
  readonly position: number
  /** Draws the options in that section, behind this one, instead of in a section of their own. */
  readonly option?: string
  /** Draws the options in that section, ahead of its own. */
  readonly isAhead?: true
}

/** Keeps the options' own types while checking the section's shape. */
export const section = <const O extends Record<string, Option<unknown>>>(definition: {
  name: string
  tab: Tab
  title: BilingualText
  note?: BilingualText
  behind?: SectionPlace
  options: O
}): {
  name: string
  tab: Tab
  title: BilingualText
  note?: BilingualText
  behind?: SectionPlace
  options: O
} => definition
