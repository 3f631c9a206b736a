import type { Part, ThinkingPart } from '../conversation/conversation.ts'
import { defined, isObject, type JsonObject, listOf, parsedJson, textIn, textOf } from '../conversation/json.ts'
import { type StreamEvent, standsAlone } from '../conversation/stream-event.ts'

/**
 * Clients of this dialect keep the signature of a call, but not all keep thoughts (geminiChat.ts of google-gemini/gemini-cli).
 * Thoughts of another maker therefore travel a second time, in the signature of the first call that follows them.
 */

type Thought = Omit<ThinkingPart, 'kind'>

interface Carried {
  readonly thought: Thought
  /** Whether nothing was said before: some makers want thoughts first. */
  readonly first: boolean
}

const mark = 'tollgate-thoughts:'

/** Collects what was thought until a call takes it along. */
export interface Luggage {
  think(event: Omit<Extract<StreamEvent, { kind: 'thinking' }>, 'kind' | 'choice'>): void
  /** Something was said. */
  speak(): void
  /** The signature for the next call; undefined when there is nothing to carry. */
  take(): string | undefined
}

const isClosed = ({ signature, encrypted }: Thought): boolean => signature !== undefined || encrypted !== undefined

export const openLuggage = (): Luggage => {
  let carried: Carried[] = []
  let first = true
  return {
    think(event) {
      if (event.by === 'gemini') return
      const last = carried.at(-1)
      const goesOn =
        last !== undefined && !isClosed(last.thought) && !standsAlone({ kind: 'thinking', choice: 0, ...event })
      if (!goesOn) carried.push({ thought: event, first })
      else
        carried[carried.length - 1] = {
          ...last,
          thought: { ...last.thought, ...event, text: last.thought.text + event.text },
        }
    },
    speak() {
      first = false
    },
    take() {
      if (carried.length === 0) return undefined
      const text = mark + JSON.stringify(carried)
      carried = []
      first = false
      return Buffer.from(text).toString('base64')
    },
  }
}

/** The calls of a whole answer take the thoughts before them along. */
export const withLuggage = (parts: readonly Part[]): Part[] => {
  const luggage = openLuggage()
  return parts.map((part) => {
    if (part.kind === 'thinking') luggage.think(part)
    if (part.kind === 'text') luggage.speak()
    if (part.kind !== 'tool_call') return part
    const signature = part.signature ?? luggage.take()
    return signature === undefined ? part : { ...part, signature }
  })
}

const makers: ReadonlySet<unknown> = new Set(['openai-chat', 'openai-responses', 'anthropic'])

const readThought = (value: JsonObject): ThinkingPart => ({
  kind: 'thinking',
  text: textOf(value.text),
  ...defined({
    signature: textIn(value.signature),
    encrypted: textIn(value.encrypted),
    id: textIn(value.id),
    by: makers.has(value.by) ? (value.by as NonNullable<ThinkingPart['by']>) : undefined,
  }),
})

/** undefined when a signature is the provider's own. */
const unpacked = (signature: string | undefined): readonly { part: ThinkingPart; first: boolean }[] | undefined => {
  if (signature === undefined) return undefined
  const text = Buffer.from(signature, 'base64').toString()
  if (!text.startsWith(mark)) return undefined
  return listOf(parsedJson(text.slice(mark.length))).flatMap((entry) =>
    isObject(entry) && isObject(entry.thought)
      ? [{ part: readThought(entry.thought), first: entry.first === true }]
      : [],
  )
}

/** A stream signs a thought behind its words. */
const joined = (parts: readonly Part[]): Part[] => {
  const result: Part[] = []
  for (const part of parts) {
    const last = result.at(-1)
    const isOpen = last?.kind === 'thinking' && !isClosed(last)
    if (part.kind === 'thinking' && isOpen && part.by !== 'gemini')
      result[result.length - 1] = { ...last, ...part, text: last.text + part.text }
    else if (part.kind === 'thinking' && isOpen && !isClosed(part))
      result[result.length - 1] = { ...last, text: last.text + part.text }
    else result.push(part)
  }
  return result
}

/** The parts of a model's turn with their thoughts in their places. What a call carries is whole, what came back may be not. */
export const withCarriedThoughts = (parts: readonly Part[]): Part[] => {
  const front: Part[] = []
  const carrier = parts.findLastIndex((part) => part.kind === 'tool_call' && unpacked(part.signature) !== undefined)
  if (carrier < 0) return joined(parts)
  const rest = parts.flatMap((part, at): Part[] => {
    if (part.kind === 'thinking' && at < carrier) return []
    if (part.kind !== 'tool_call') return [part]
    const thoughts = unpacked(part.signature)
    if (thoughts === undefined) return [part]
    const { signature: _, ...call } = part
    front.push(...thoughts.flatMap((thought) => (thought.first ? [thought.part] : [])))
    return [...thoughts.flatMap((thought) => (thought.first ? [] : [thought.part])), call]
  })
  return [...front, ...rest]
}
