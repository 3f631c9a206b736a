import type { Part, ThinkingPart } from '../conversation/conversation.ts'
import { defined, isObject, type JsonObject, listOf, parsedJson, textIn, textOf } from '../conversation/json.ts'
import { type StreamEvent, standsAlone } from '../conversation/stream-event.ts'

/**
 * All Gemini clients keep the signature of a call; some drop thoughts (geminiChat.ts of google-gemini/gemini-cli). So
 * thoughts of another provider are sent twice: as parts, and inside the signature of the first call after them.
 */

type Thought = Omit<ThinkingPart, 'kind'>

interface Carried {
  readonly thought: Thought
  /** True if no text or call came before it. Some providers require thoughts at the start of the turn. */
  readonly first: boolean
}

const mark = 'tollgate-thoughts:'

/** Collects thoughts until the next call carries them in its signature. */
export interface ThoughtCarrier {
  think(event: Omit<Extract<StreamEvent, { kind: 'thinking' }>, 'kind' | 'choice'>): void
  /** Notes that text was written: later thoughts are not the first part of the turn. */
  speak(): void
  /** Empties the collection into the signature for the next call; undefined if it holds no thoughts. */
  take(): string | undefined
}

const isClosed = ({ signature, encrypted }: Thought): boolean => signature !== undefined || encrypted !== undefined

export const createThoughtCarrier = (): ThoughtCarrier => {
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

/** Puts the thoughts of a complete answer into the signatures of the calls after them. */
export const withPackedThoughts = (parts: readonly Part[]): Part[] => {
  const carrier = createThoughtCarrier()
  return parts.map((part) => {
    if (part.kind === 'thinking') carrier.think(part)
    if (part.kind === 'text') carrier.speak()
    if (part.kind !== 'tool_call') return part
    const signature = part.signature ?? carrier.take()
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

/** Reads the thoughts in a signature; undefined for a signature of Google's. */
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

/** Joins thoughts that a stream split: the signature comes after the text. */
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

/** Restores the thoughts of a model's turn. Thoughts in call signatures replace returned ones, which may be incomplete. */
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
