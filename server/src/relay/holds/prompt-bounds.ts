import { measure } from '../../billing/counting/prompt.ts'
import { isObject, listOf } from '../../dialects/conversation/json.ts'
import type { RelayCall } from '../call.ts'
import type { TokenCounter } from '../ports.ts'
import { largePrompt } from '../usage/body-survey.ts'
import { promptReaderOf } from '../usage/prompt-reader.ts'

type Prompted = Pick<RelayCall, 'raw' | 'body' | 'model' | 'form' | 'survey' | 'dialect'>

/** A picture or a file may be an address of few bytes and cost thousands of tokens. */
const isText = (part: unknown): boolean => !isObject(part) || typeof part.text === 'string'

const isTextMessage = (message: unknown): boolean => {
  if (!isObject(message)) return true
  const { content, parts, image_url: image } = message
  return image === undefined && listOf(content).every(isText) && listOf(parts).every(isText)
}

const isTextOnly = ({ body, dialect }: Prompted): boolean =>
  dialect === undefined
    ? listOf(body.messages).every(isTextMessage) &&
      listOf(body.input).every(isTextMessage) &&
      listOf(body.documents).every(isText)
    : listOf(dialect.requestRules.messages(body)).every(isTextMessage)

/** Providers read the query of a rerank call once beside each document, and bill that. */
const repetitionsOf = ({ query, documents }: RelayCall['body']): { readonly query: string; readonly times: number } =>
  typeof query === 'string' && Array.isArray(documents)
    ? { query, times: Math.max(0, documents.length - 1) }
    : { query: '', times: 0 }

/** People write fewer bytes than this for a token; only repetition of spaces and the like makes longer ones. */
const mostBytesPerToken = 16

/** Between which numbers of prompt tokens a call lies, at once. */
export interface PromptBounds {
  /** No tokenizer exceeds it: a token is made of one byte at least. */
  readonly atMost: number
  readonly atLeast: number
}

export const promptBounds = (call: Prompted): PromptBounds => {
  const { query, times } = repetitionsOf(call.body)
  const again = times === 0 ? 0 : times * Buffer.byteLength(query)
  const { survey } = call
  // A large body was measured where it was parsed.
  if (survey?.model === call.model) {
    const bytes = survey.textBytes + again
    return { atMost: survey.tokens + bytes, atLeast: survey.tokens + Math.floor(bytes / mostBytesPerToken) }
  }
  if (call.form === undefined && isTextOnly(call)) {
    const bytes = call.raw.length + again
    return { atMost: bytes, atLeast: Math.floor(bytes / mostBytesPerToken) }
  }
  const { texts, tokens } = measure(promptReaderOf(call), call.model, call.body)
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), again)
  return { atMost: tokens + bytes, atLeast: tokens + Math.floor(bytes / mostBytesPerToken) }
}

/** Prompt tokens as the model's tokenizer counts them, off the main thread. Never rejects. */
export const countPrompt = async (
  call: Pick<RelayCall, 'model' | 'body' | 'survey' | 'raw' | 'dialect'>,
  counter: TokenCounter,
): Promise<number> => {
  const { model, body } = call
  const { query, times } = repetitionsOf(body)
  const [once, ofQuery] = await Promise.all([
    counter.prompt(model, promptReaderOf(call), body, largePrompt(call)),
    times === 0 ? 0 : counter.text(model, query),
  ])
  return once + times * ofQuery
}
