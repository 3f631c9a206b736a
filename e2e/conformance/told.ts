/** What an answer says, whatever its words: the same in a recording and in the hands of an official client. */
export interface Told {
  readonly text: string
  readonly thinking: string
  readonly calls: readonly ToldCall[]
  readonly finish: 'stop' | 'length' | 'tool_calls' | 'filtered'
  readonly usage: ToldUsage | undefined
}

export interface ToldCall {
  /** Empty when the provider gave none. */
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

export interface ToldUsage {
  /** Everything read, from a cache or not. */
  readonly input: number
  readonly cached: number
  /** Everything written, thoughts included. */
  readonly output: number
}

export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const its = (value: unknown, name: string): Json => {
  const member = isJson(value) ? value[name] : undefined
  return isJson(member) ? member : {}
}
export const list = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? (value as unknown[]).filter(isJson) : []
export const text = (value: unknown): string => (typeof value === 'string' ? value : '')
export const count = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** A model may break its own arguments off; then the words count. */
export const parsed = (words: string): unknown => {
  try {
    return JSON.parse(words || '{}')
  } catch {
    return words
  }
}

/** Grows while a stream is read. */
export interface Telling {
  text: string
  thinking: string
  readonly calls: { id: string; name: string; words: string }[]
  finish: string
  usage: ToldUsage | undefined
}

export const telling = (): Telling => ({ text: '', thinking: '', calls: [], finish: '', usage: undefined })

const classes: readonly (readonly [RegExp, Told['finish']])[] = [
  [/length|max_tokens|max_output|context_window/i, 'length'],
  [/filter|refusal|safety|blocklist|prohibited|recitation|guardrail|sensitive|error_toxic/i, 'filtered'],
]

/** Some say that they stopped where they call tools; a refusal has no other reason. */
export const toldOf = ({ text: said, thinking, calls, finish, usage }: Telling): Told => ({
  text: said,
  thinking,
  calls: calls.map(({ id, name, words }) => ({ id, name, arguments: parsed(words) })),
  finish: classes.find(([pattern]) => pattern.test(finish))?.[1] ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
  // Nothing used is nothing said.
  usage: usage !== undefined && usage.input + usage.output > 0 ? usage : undefined,
})
