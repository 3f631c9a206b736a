import { ownMember } from '@tollgate/contract/own-member'
import { isObject } from '../../dialects/conversation/json.ts'
import { type Headers, headerText } from './upstream.ts'

/**
 * Headers in which providers name a request, the ones that their own reports use first: panels and gateways pass the
 * `x-request-id` of those behind them.
 */
export const requestIdHeaders = [
  // one-api, new-api and their kin
  'x-oneapi-request-id',
  // OpenRouter: the id of its generation
  'x-generation-id',
  // Azure, whose `x-request-id` is another one
  'apim-request-id',
  // Amazon Bedrock
  'x-amzn-requestid',
  'x-amzn-request-id',
  // Google
  'x-goog-request-id',
  // Cloudflare's gateway
  'cf-aig-log-id',
  // SiliconFlow, DeepSeek, Moonshot, Baidu, Mistral, Cohere
  'x-siliconcloud-trace-id',
  'x-ds-trace-id',
  'msh-request-id',
  'x-bce-request-id',
  'mistral-correlation-id',
  'x-debug-trace-id',
  // OpenAI, Alibaba, Volcengine, xAI, Groq and many others
  'x-request-id',
  // Anthropic
  'request-id',
] as const

/** Members of an answer that name it; Gemini's and Alibaba's have names of their own. */
const memberNames = ['id', 'responseId', 'request_id'] as const

const longestRequestId = 128

/** At most 128 characters of printable ASCII without spaces; empty for other text. */
export const plainRequestId = (text: string): string => {
  const id = text.trim()
  return id.length <= longestRequestId && /^[!-~]+$/.test(id) ? id : ''
}

/** The provider's id of a request by the head of its answer; empty where it names none. */
export const requestIdOfHead = (headers: Headers): string => {
  for (const name of requestIdHeaders) {
    if (ownMember(headers, name) === undefined) continue
    const id = plainRequestId(headerText(headers, name))
    if (id !== '') return id
  }
  return ''
}

/** The id of the receipt that a gateway like this one gave for a request; undefined where there is none. */
export const receiptOfHead = (headers: Headers): string | undefined => {
  if (ownMember(headers, 'x-tollgate-receipt') === undefined) return undefined
  return plainRequestId(headerText(headers, 'x-tollgate-receipt')) || undefined
}

/** The id that a whole answer has, which was read for other reasons; empty for none. */
export const requestIdOfAnswer = (json: unknown): string => {
  if (!isObject(json)) return ''
  for (const name of memberNames) {
    const value = ownMember(json, name)
    if (typeof value === 'string' && value !== '') return plainRequestId(value)
  }
  return ''
}

const firstBytes = 1_024
const namedId = /"(?:id|responseId|request_id)"\s*:\s*"([!-~]{1,128}?)"/

/** The id in the first bytes of a stream, found without reading the event; empty for none. */
export const requestIdInStream = (chunk: Buffer): string =>
  plainRequestId(namedId.exec(chunk.toString('latin1', 0, firstBytes))?.[1] ?? '')
