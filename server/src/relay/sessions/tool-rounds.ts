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

/** Name and arguments of a call. */
const callOf = (part: JsonObject): readonly [name: unknown, input: unknown] | undefined => {
  if (part.type === 'tool_use' || part.type === 'custom_tool_call') return [part.name, part.input]
  if (part.type === 'function_call') return [part.name, part.arguments]
  if (isObject(part.functionCall)) return [part.functionCall.name, part.functionCall.args]
  return isObject(part.function) ? [part.function.name, part.function.arguments] : undefined
}

const callIn = (part: JsonObject): string | undefined => {
  const call = callOf(part)
  return call && printed(...call)
}

const outputs: ReadonlySet<unknown> = new Set(['function_call_output', 'custom_tool_call_output'])

const resultIn = (part: JsonObject): string | undefined => {
  if (part.type === 'tool_result') return printed(part.content)
  if (outputs.has(part.type)) return printed(part.output)
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
    // The user has sent a message: repeated calls after it may be wanted.
    else if (calls.length === 0 && turn.role === 'user') rounds.length = 0
  }
  const last = rounds.at(-1)
  if (last === undefined || last.results.length === 0) return 0
  const same = printed(last)
  const different = rounds.findLastIndex((round) => printed(round) !== same)
  return rounds.length - 1 - different
}

/** Turns in which the results of one round and its calls stand. */
const lastTurns = 100
const mostNames = 8
/** UTF-16 units. */
const longestName = 64

const nameIn = (part: JsonObject): string | undefined => {
  const [name] = callOf(part) ?? []
  return typeof name === 'string' ? name.slice(0, longestName).toWellFormed() : undefined
}

/** Names of the tool calls whose results end a conversation, in order; none where the model has answered since. */
const lastCalls = (turns: readonly JsonObject[]): readonly string[] => {
  let hasResults = false
  let names: string[] = []
  for (const turn of turns.toReversed()) {
    const parts = partsOf(turn)
    const called = parts.map(nameIn).filter(isDefined)
    if (called.length > 0) names = [...called, ...names]
    else if (names.length > 0) break
    else if (parts.some((part) => resultIn(part) !== undefined)) hasResults = true
    else if (turn.role === 'assistant' || turn.role === 'model') break
  }
  return hasResults ? names : []
}

/**
 * The tools that the model called last, whose results a request brings, with how often each; 8 names at most. undefined where it brings
 * none, and where the calls are not in it because the provider stores them.
 */
export const toolsCalled = (
  dialect: Pick<Dialect, 'requestRules'> | undefined,
  body: JsonObject | undefined,
): Readonly<Record<string, number>> | undefined => {
  if (dialect === undefined || body === undefined || listOf(body.tools).length === 0) return undefined
  const counts = new Map<string, number>()
  for (const name of lastCalls(objectsOf(listOf(dialect.requestRules.opening(body).turns).slice(-lastTurns))))
    if (counts.size < mostNames || counts.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts.size === 0 ? undefined : Object.fromEntries(counts)
}
