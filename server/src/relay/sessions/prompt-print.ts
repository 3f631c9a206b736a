import { hash } from 'node:crypto'
import { withoutNoise } from '../../dialects/conversation/client-noise.ts'
import { isObject, type JsonObject, listOf } from '../../dialects/conversation/json.ts'
import type { Dialect } from '../../dialects/dialect.ts'

/** Hashes of the blocks of a prompt, in the order in which providers cache them. No texts. */
export interface PromptPrint {
  /** Hash of the list of tools, and of the same tools in a canonical order. */
  readonly tools: number
  readonly sortedTools: number
  /**
   * Hash of the instructions, and of the instructions without figures and names of days: if only the first differs, they contain a time
   * or a counter.
   */
  readonly instructions: number
  readonly plainInstructions: number
  /** One for each turn behind the instructions. */
  readonly turns: Int32Array
  /** Hash of the thinking options, whose changes invalidate caches, too. */
  readonly effort: number
}

/** Most hashed turns; later changes are not found. */
const mostTurns = 2_000

/** Variable parts of a written time: figures, names of days and months, halves of a day. */
const timeParts =
  /\d+|\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b|\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b|\b[ap]m\b|[星期周][一二三四五六日天]/gi

const hash32 = (text: string): number => Number.parseInt(hash('sha1', text, 'hex').slice(0, 8), 16) | 0

/** The value without cache breakpoints, which move from call to call, and without clients' noise, which always changes. */
const withoutMarks = (name: string, value: unknown): unknown => {
  if (name === 'cache_control' || name === 'cachePoint') return undefined
  if (name === 'text' && typeof value === 'string') return withoutNoise(value)
  return value
}

const printed = (value: unknown): string => JSON.stringify(value, withoutMarks) ?? ''

const isInstruction = (turn: unknown): boolean =>
  isObject(turn) && (turn.role === 'system' || turn.role === 'developer')

const effortOf = ({ reasoning_effort, reasoning, thinking, output_config, generationConfig }: JsonObject): string =>
  printed([
    reasoning_effort,
    isObject(reasoning) ? reasoning.effort : undefined,
    thinking,
    isObject(output_config) ? output_config.effort : undefined,
    isObject(generationConfig) ? generationConfig.thinkingConfig : undefined,
  ])

/** Gemini lists its functions within a tool. */
const functionsOf = (tool: unknown): readonly unknown[] =>
  isObject(tool) && Array.isArray(tool.functionDeclarations) ? tool.functionDeclarations : [tool]

/** Codex offers tools in items of its input, too; they are no turns. */
const offersTools = (turn: unknown): turn is JsonObject =>
  isObject(turn) && turn.type === 'additional_tools' && Array.isArray(turn.tools)

/** The hashes of a request in the client's dialect. */
export const promptPrint = (dialect: Pick<Dialect, 'requestRules'>, body: JsonObject): PromptPrint => {
  const { instructions, turns } = dialect.requestRules.opening(body)
  const all = typeof turns === 'string' ? [turns] : listOf(turns)
  const offers = all.filter(offersTools)
  const list = offers.length === 0 ? all : all.filter((turn) => !offersTools(turn))
  const first = list.findIndex((turn) => !isInstruction(turn))
  const leading = first === -1 ? list : list.slice(0, first)
  const rest = first === -1 ? [] : list.slice(first, first + mostTurns)
  const said = printed([instructions, leading])
  const tools = [...listOf(body.tools), ...offers.flatMap((offer) => listOf(offer.tools))]
    .flatMap(functionsOf)
    .map((tool) => hash32(printed(tool)))
  return {
    tools: hash32(tools.join()),
    sortedTools: hash32(tools.toSorted((left, right) => left - right).join()),
    instructions: hash32(said),
    plainInstructions: hash32(said.replace(timeParts, '0')),
    turns: Int32Array.from(rest, (turn) => hash32(printed(turn))),
    effort: hash32(effortOf(body)),
  }
}
