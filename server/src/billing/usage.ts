/**
 * Tokens of one answer in parts that never overlap, whatever the upstream's convention. The prompt parts add up to the prompt, the
 * completion parts to the completion.
 */
export interface Usage {
  /** Text (and image) prompt tokens that were neither read from nor written to a cache. */
  readonly input: number
  /** Prompt tokens read from the provider's cache. */
  readonly cacheRead: number
  /** Prompt tokens written to the provider's cache for five minutes. */
  readonly cacheWrite: number
  /** Prompt tokens written to the provider's cache for one hour. */
  readonly cacheWrite1h: number
  readonly audioInput: number
  /** Completion tokens, reasoning included. */
  readonly output: number
  readonly audioOutput: number
  /** Part of `output`; shown, not billed separately. */
  readonly reasoning: number
  /** How many times a price per call is charged; 1 when absent. */
  readonly calls?: number
  /** Generated pictures; absent for calls that ask for none. */
  readonly images?: Pictures
  /** Calls of tools that run at the provider, by their names in the option ToolPrices; absent without any. */
  readonly tools?: ToolCalls
  /** The service tier that answered, where it is not the standard one. */
  readonly tier?: string
  /** Implausible figures of the report, by name: shown, never billed. Absent when all were plausible. */
  readonly disputed?: DisputedFigures
}

/** `prompt_tokens`, `completion_tokens`, `search_units`, or the name of a tool → what the upstream reported. */
export type DisputedFigures = Readonly<Record<string, number>>

export interface Pictures {
  readonly count: number
  /** Price of one, relative to the model's price of a picture. */
  readonly ratio: number
}

export type ToolCalls = Readonly<Record<string, number>>

export const noUsage: Usage = {
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWrite1h: 0,
  audioInput: 0,
  output: 0,
  audioOutput: 0,
  reasoning: 0,
}

/** Larger counts are read as this one, so that sums stay exact integers. No real answer comes near it. */
export const mostReported = 1_000_000_000_000_000

export const promptTokens = (usage: Usage): number =>
  usage.input + usage.cacheRead + usage.cacheWrite + usage.cacheWrite1h + usage.audioInput

export const completionTokens = (usage: Usage): number => usage.output + usage.audioOutput

const sumOfTools = (one: ToolCalls, other: ToolCalls): ToolCalls => {
  const sum = new Map(Object.entries(one))
  for (const [tool, calls] of Object.entries(other)) sum.set(tool, (sum.get(tool) ?? 0) + calls)
  return Object.fromEntries(sum)
}

/** The usage of two answers of one session together. */
export const sumOfUsage = (one: Usage, other: Usage): Usage => {
  const tools = one.tools === undefined || other.tools === undefined ? undefined : sumOfTools(one.tools, other.tools)
  const used = tools ?? one.tools ?? other.tools
  const disputed = other.disputed === undefined ? one.disputed : { ...one.disputed, ...other.disputed }
  return {
    input: one.input + other.input,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
    cacheWrite1h: one.cacheWrite1h + other.cacheWrite1h,
    audioInput: one.audioInput + other.audioInput,
    output: one.output + other.output,
    audioOutput: one.audioOutput + other.audioOutput,
    reasoning: one.reasoning + other.reasoning,
    ...(used === undefined ? {} : { tools: used }),
    ...(disputed === undefined ? {} : { disputed }),
  }
}
