import { collect as collectEvents } from '../conversation/collect.ts'
import type { Part, ThinkingPart, ToolCallPart } from '../conversation/conversation.ts'
import { defined, isObject, type JsonObject, listOf, membersOf, objectsOf, parsedJson } from '../conversation/json.ts'
import type { StreamEvent } from '../conversation/stream-event.ts'
import type { RecalledThoughts, ThoughtCollector, ThoughtRules } from '../thought-rules.ts'
import { readMessage } from './read-message.ts'
import { openReader } from './read-stream.ts'
import { reasoningDetails } from './write-messages.ts'

/** Turns of a request that are looked at, from its end. */
const latestTurns = 500
/** UTF-16 units of the thoughts of one answer; longer ones are not collected. */
const mostText = 1024 * 1024

/** Clients reformat arguments; their meaning stays. */
const turnOf = ({ id, name, arguments: text }: Pick<ToolCallPart, 'id' | 'name' | 'arguments'>): string => {
  const read = parsedJson(text)
  return JSON.stringify([id, name, read === undefined ? text : read])
}

const firstCall = (parts: readonly Part[]): ToolCallPart | undefined => parts.find((part) => part.kind === 'tool_call')

const isSigned = ({ signature, encrypted }: ThinkingPart): boolean => signature !== undefined || encrypted !== undefined

/**
 * openai-node's `stream()` keeps of a list that it does not know only the last piece: the signature, whose text came before it.
 * Claude refuses a thought that was changed.
 */
const isCut = ({ signature, text }: ThinkingPart): boolean => signature !== undefined && text === ''

interface ForgetfulTurn {
  readonly turn: string
  /** Some clients return the text of thoughts without what signs it, and that is all of the text. */
  readonly hasText: boolean
}

/** A turn with calls and without thoughts that are signed and whole; undefined for all other messages. */
const forgetful = (message: JsonObject): ForgetfulTurn | undefined => {
  if (message.role !== 'assistant' || listOf(message.tool_calls).length === 0) return undefined
  const { parts } = readMessage({ ...message, content: null })
  const call = firstCall(parts)
  const thoughts = parts.filter((part) => part.kind === 'thinking')
  const cut = cutThoughts(message)
  if (call === undefined || (thoughts.some(isSigned) && !cut)) return undefined
  return { turn: turnOf(call), hasText: thoughts.length > 0 && !cut }
}

const cutThoughts = ({ reasoning_details: details }: JsonObject): boolean =>
  readMessage({ role: 'assistant', reasoning_details: details }).parts.some(
    (part) => part.kind === 'thinking' && isCut(part),
  )

const missing = ({ messages }: JsonObject): string[] =>
  objectsOf(listOf(messages).slice(-latestTurns)).flatMap((message) => forgetful(message)?.turn ?? [])

/** `members` changes what a message gets; all of it when absent. */
export const restored = (
  body: JsonObject,
  recalled: RecalledThoughts,
  members: (recalled: JsonObject) => JsonObject = (all) => all,
): JsonObject => ({
  ...body,
  messages: listOf(body.messages).map((message) => {
    const turn = isObject(message) ? forgetful(message) : undefined
    const thoughts = turn === undefined ? undefined : recalled.get(turn.turn)
    if (thoughts === undefined || turn === undefined || !isObject(message)) return message
    const { reasoning_content: text, ...signed } = members(thoughts)
    return { ...message, ...(turn.hasText ? {} : defined({ reasoning_content: text })), ...signed }
  }),
})

const thoughtsBefore = (parts: readonly Part[]): ThinkingPart[] => {
  const end = parts.findIndex(({ kind }) => kind === 'tool_call')
  return parts.slice(0, end).filter((part) => part.kind === 'thinking')
}

const membersOfThoughts = (thoughts: readonly ThinkingPart[]): JsonObject => {
  const text = thoughts.map((thought) => thought.text).join('')
  return {
    ...(text === '' ? {} : { reasoning_content: text }),
    ...(thoughts.some(isSigned) ? { reasoning_details: thoughts.flatMap(reasoningDetails) } : {}),
  }
}

/** Events of an answer's first choice without its texts; pieces of one thought are joined as they come. */
const openPieces = () => {
  const events: StreamEvent[] = []
  let length = 0
  return {
    add(event: StreamEvent): void {
      if (event.kind !== 'thinking' && event.kind !== 'tool_call' && event.kind !== 'arguments') return
      if (event.choice !== 0 || length > mostText) return
      if ('text' in event) length += event.text.length
      const last = events.at(-1)
      const isPlain = event.kind === 'thinking' && Object.keys(event).length === 3
      if (isPlain && last?.kind === 'thinking' && last.signature === undefined && last.encrypted === undefined)
        events[events.length - 1] = { ...last, text: last.text + event.text }
      else events.push(event)
    },
    parts: (): readonly Part[] => (length > mostText ? [] : (collectEvents(events).choices[0]?.parts ?? [])),
  }
}

/** Nearly all events of a stream are text, which is not read here. */
const mayHoldThoughts = (payload: string): boolean => payload.includes('"reasoning') || payload.includes('"tool_calls"')

const collect = (): ThoughtCollector => {
  const reader = openReader()
  const pieces = openPieces()
  let parts: readonly Part[] | undefined
  return {
    event(payload) {
      if (mayHoldThoughts(payload)) for (const event of reader.read(payload, '')) pieces.add(event)
    },
    whole(answer) {
      parts = readMessage(membersOf(membersOf(listOf(answer.choices)[0]).message)).parts
    },
    result() {
      const all = parts ?? pieces.parts()
      const call = firstCall(all)
      const thoughts = thoughtsBefore(all)
      return call === undefined || thoughts.length === 0
        ? undefined
        : { turn: turnOf(call), members: membersOfThoughts(thoughts) }
    },
  }
}

/** Clients without a field for thoughts leave out what models need back (api-docs.deepseek.com/guides/thinking_mode). */
export const thoughts: ThoughtRules = {
  mayCall: ({ tools }) => listOf(tools).length > 0,
  missing,
  restored,
  collect,
}
