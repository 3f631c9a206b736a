import {
  audioPromptTokens,
  cachedTokens,
  completionTokens,
  imagePromptTokens,
  promptTokens,
  type Usage,
} from '../../billing/usage.ts'
import { eventsOf } from '../../dialects/conversation/collect.ts'
import type { Answer, Conversation } from '../../dialects/conversation/conversation.ts'
import { isObject, type JsonObject } from '../../dialects/conversation/json.ts'
import { supportedAnswer } from '../../dialects/conversation/supported-answer.ts'
import type { ClientDialect } from '../../dialects/dialect.ts'
import { dataEvent } from '../../lib/sse.ts'
import type { RelayCall } from '../call.ts'
import type { EventHead } from '../usage/stream-text.ts'

const doneEvent = dataEvent('[DONE]')

const chunkChoice = (choice: unknown): unknown => {
  if (!isObject(choice) || !isObject(choice.message)) return choice
  const { message, ...rest } = choice
  const calls = Array.isArray(message.tool_calls) ? (message.tool_calls as unknown[]) : undefined
  const indexed = calls?.map((call, index) => (isObject(call) ? { index, ...call } : call))
  return { ...rest, delta: indexed === undefined ? message : { ...message, tool_calls: indexed } }
}

/** A whole answer as a stream of one chunk of chat completions, for clients that requested a stream but got none. */
export const oneChunkStream = (answer: JsonObject, more: { withUsage: boolean }): string => {
  const { usage, ...rest } = answer
  const object = answer.object === 'chat.completion' ? 'chat.completion.chunk' : answer.object
  const choices = Array.isArray(answer.choices) ? (answer.choices as unknown[]).map(chunkChoice) : []
  const chunk = dataEvent(JSON.stringify({ ...rest, object, choices }))
  const last = more.withUsage ? dataEvent(JSON.stringify({ ...rest, object, choices: [], usage })) : ''
  return `${chunk}${last}${doneEvent}`
}

/** Completes an answer of a provider that names neither the answer nor its time. */
export const namedAnswer = (answer: Answer, { id, startedAt }: RelayCall): Answer => ({
  ...answer,
  id: answer.id || id,
  created: answer.created || Math.floor(startedAt / 1000),
})

/** A whole answer as a stream in the client's dialect. */
export const answerStream = (
  { answer, usage }: { readonly answer: Answer; readonly usage: Usage },
  call: RelayCall,
  client: ClientDialect,
  conversation: Conversation,
): string => {
  const writer = client.openStream(conversation)
  const named = { ...namedAnswer(answer, call), usage }
  return eventsOf(supportedAnswer(named, client).answer)
    .map((event) => writer.write(event))
    .join('')
}

/** The usage event that a client requested and the upstream did not send. */
export const usageEvent = (head: EventHead, usage: Usage): string => {
  const prompt = promptTokens(usage)
  const completion = completionTokens(usage)
  return dataEvent(
    JSON.stringify({
      id: head.id ?? '',
      object: 'chat.completion.chunk',
      created: head.created ?? 0,
      model: head.model ?? '',
      system_fingerprint: head.system_fingerprint ?? '',
      choices: [],
      usage: {
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: prompt + completion,
        prompt_tokens_details: {
          cached_tokens: cachedTokens(usage),
          text_tokens: 0,
          audio_tokens: audioPromptTokens(usage),
          image_tokens: imagePromptTokens(usage),
        },
        completion_tokens_details: {
          text_tokens: 0,
          audio_tokens: usage.audioOutput,
          reasoning_tokens: usage.reasoning,
        },
      },
    }),
  )
}
