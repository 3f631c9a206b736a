import { isObject, type JsonObject, listOf, objectsOf } from '../../dialects/conversation/json.ts'
import type { Dialect } from '../../dialects/dialect.ts'

/** Turns at the end of a conversation that are looked at: more repetitions than fit in them were stopped before. */
const latestTurns = 400

interface Round {
  readonly calls: string[]
  readonly results: string[]
}

const printed = (...parts: readonly unknown[]): string => JSON.stringify(parts)

/** Parts of a turn, in all dialects: content blocks, Gemini's parts, or an item of Responses itself. */
const partsOf = (turn: JsonObject): readonly JsonObject[] => [
  turn,
  ...objectsOf(turn.content),
  ...objectsOf(turn.parts),
  ...objectsOf(turn.tool_calls),
]

const callIn = (part: JsonObject): string | undefined => {
  if (part.type === 'tool_use') return printed(part.name, part.input)
  if (part.type === 'function_call') return printed(part.name, part.arguments)
  if (isObject(part.functionCall)) return printed(part.functionCall.name, part.functionCall.args)
  return isObject(part.function) ? printed(part.function.name, part.function.arguments) : undefined
}

const resultIn = (part: JsonObject): string | undefined => {
  if (part.type === 'tool_result') return printed(part.content)
  if (part.type === 'function_call_output') return printed(part.output)
  if (isObject(part.functionResponse)) return printed(part.functionResponse.response)
  return part.role === 'tool' ? printed(part.content) : undefined
}

const isDefined = (text: string | undefined): text is string => text !== undefined

/** How often in a row, up to the end of a conversation, the model called the same tools and got the same results. */
export const repeatedRounds = (dialect: Pick<Dialect, 'requestRules'>, body: JsonObject): number => {
  const turns = objectsOf(listOf(dialect.requestRules.opening(body).turns).slice(-latestTurns))
  const rounds: Round[] = []
  let open: Round | undefined
  for (const turn of turns) {
    const parts = partsOf(turn)
    const calls = parts.map(callIn).filter(isDefined)
    const results = parts.map(resultIn).filter(isDefined)
    if (calls.length > 0) {
      if (open === undefined || open.results.length > 0) {
        open = { calls: [], results: [] }
        rounds.push(open)
      }
      open.calls.push(...calls)
    }
    if (results.length > 0) open?.results.push(...results)
    // A person said something: what is done again now may be wanted.
    else if (calls.length === 0 && turn.role === 'user') rounds.length = 0
  }
  const last = rounds.at(-1)
  if (last === undefined || last.results.length === 0) return 0
  const same = printed(last)
  const different = rounds.findLastIndex((round) => printed(round) !== same)
  return rounds.length - 1 - different
}
