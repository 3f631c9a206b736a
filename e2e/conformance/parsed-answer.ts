/** The content of an answer independent of its dialect: equal for a recording and for what an official client returns. */
export interface ParsedAnswer {
  readonly text: string
  readonly thinking: string
  readonly calls: readonly ParsedCall[]
  readonly finish: 'stop' | 'length' | 'tool_calls' | 'filtered'
  readonly usage: ParsedUsage | undefined
}

export interface ParsedCall {
  /** Empty when the provider gave none. */
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

export interface ParsedUsage {
  /** All input tokens, cached ones included. */
  readonly input: number
  readonly cached: number
  /** All output tokens, thinking included. */
  readonly output: number
}

export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const objectAt = (value: unknown, name: string): Json => {
  const member = isJson(value) ? value[name] : undefined
  return isJson(member) ? member : {}
}
export const list = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? (value as unknown[]).filter(isJson) : []
export const text = (value: unknown): string => (typeof value === 'string' ? value : '')
export const count = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** Parses arguments; a model may break them off, then the text itself is the value. */
export const parsed = (rawArguments: string): unknown => {
  try {
    return JSON.parse(rawArguments || '{}')
  } catch {
    return rawArguments
  }
}

/** Collects the chunks of a stream. */
export interface AnswerDraft {
  text: string
  thinking: string
  readonly calls: { id: string; name: string; rawArguments: string }[]
  finish: string
  usage: ParsedUsage | undefined
}

export const createDraft = (): AnswerDraft => ({ text: '', thinking: '', calls: [], finish: '', usage: undefined })

const classes: readonly (readonly [RegExp, ParsedAnswer['finish']])[] = [
  [/length|max_tokens|max_output|context_window/i, 'length'],
  [/filter|refusal|safety|blocklist|prohibited|recitation|guardrail|sensitive|error_toxic/i, 'filtered'],
]

/** Normalizes the finish reason: some providers send "stop" with tool calls. */
export const parsedAnswer = ({ text, thinking, calls, finish, usage }: AnswerDraft): ParsedAnswer => ({
  text,
  thinking,
  calls: calls.map(({ id, name, rawArguments }) => ({ id, name, arguments: parsed(rawArguments) })),
  finish: classes.find(([pattern]) => pattern.test(finish))?.[1] ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
  // Zero usage counts as no usage report.
  usage: usage !== undefined && usage.input + usage.output > 0 ? usage : undefined,
})
