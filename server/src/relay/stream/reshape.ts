import { ownMember } from '@tollgate/contract/own-member'
import { isObject, type JsonObject } from '../../dialects/conversation/json.ts'

/** Turns one chunk of a stream into the chunks that the client gets. Remembers what came before; one per stream. */
export type Reshape = (chunk: JsonObject) => readonly JsonObject[]

const choicesOf = (chunk: JsonObject): readonly JsonObject[] =>
  Array.isArray(chunk.choices) ? (chunk.choices as unknown[]).filter(isObject) : []

const present = (from: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.filter((name) => ownMember(from, name) !== undefined).map((name) => [name, ownMember(from, name)]),
  )

const standardDelta = (delta: unknown): JsonObject =>
  isObject(delta) ? present(delta, ['content', 'reasoning_content', 'reasoning', 'role', 'tool_calls']) : {}

/** Only the standard chunk fields; what is absent and may be null is null. */
const standard: Reshape = (chunk) => [
  {
    id: chunk.id ?? '',
    object: chunk.object ?? 'chat.completion.chunk',
    created: chunk.created ?? 0,
    model: chunk.model ?? '',
    system_fingerprint: chunk.system_fingerprint ?? null,
    choices: choicesOf(chunk).map((choice) => ({
      delta: standardDelta(choice.delta),
      logprobs: choice.logprobs ?? null,
      finish_reason: choice.finish_reason ?? null,
      index: choice.index ?? 0,
    })),
    usage: chunk.usage ?? null,
  },
]

const withDelta = (chunk: JsonObject, change: (delta: JsonObject) => JsonObject): JsonObject => ({
  ...chunk,
  choices: choicesOf(chunk).map((choice) =>
    isObject(choice.delta) ? { ...choice, delta: change(choice.delta) } : choice,
  ),
})

const reasoningOf = (delta: JsonObject): string => {
  const text = delta.reasoning_content ?? delta.reasoning
  return typeof text === 'string' ? text : ''
}

const withoutReasoning = ({ reasoning_content: _content, reasoning: _reasoning, ...rest }: JsonObject): JsonObject =>
  rest

const unfinished = (chunk: JsonObject): JsonObject => ({
  ...chunk,
  choices: choicesOf(chunk).map((choice) => ({ ...choice, finish_reason: null })),
  usage: null,
})

const closing = (chunk: JsonObject): JsonObject => ({
  ...unfinished(chunk),
  choices: choicesOf(chunk)
    .slice(0, 1)
    .map((choice) => ({ ...choice, delta: { content: '\n</think>\n' }, finish_reason: null })),
})

/** Reasoning becomes content between think tags; a stream without content closes them too. */
const thinkingAsContent = (): Reshape => {
  let state: 'before' | 'thinking' | 'after' = 'before'
  return (chunk) => {
    const [choice] = choicesOf(chunk)
    const delta = isObject(choice?.delta) ? choice.delta : {}
    const reasoning = reasoningOf(delta)
    const hasContent = typeof delta.content === 'string' && delta.content !== ''
    const ends = hasContent || (choice?.finish_reason !== undefined && choice.finish_reason !== null)
    if (reasoning !== '' && state !== 'after') {
      const tag = state === 'before' ? '<think>\n' : ''
      const thought = withDelta(chunk, (own) => ({ ...withoutReasoning(own), content: tag + reasoningOf(own) }))
      state = ends ? 'after' : 'thinking'
      return ends ? [unfinished(thought), closing(chunk), withDelta(chunk, withoutReasoning)] : [thought]
    }
    if (state !== 'thinking' || !ends) return [chunk]
    state = 'after'
    return [closing(chunk), chunk]
  }
}

/** undefined when the channel asks for neither, so that bytes pass untouched. */
export const openReshape = (settings: { forceFormat: boolean; thinkingToContent: boolean }): Reshape | undefined => {
  const { forceFormat, thinkingToContent } = settings
  if (!thinkingToContent) return forceFormat ? standard : undefined
  const think = thinkingAsContent()
  return forceFormat ? (chunk) => think(chunk).flatMap(standard) : think
}
