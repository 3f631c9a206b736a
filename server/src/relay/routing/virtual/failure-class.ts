import type { FailureClass } from '@tollgate/contract'
import type { Refusal } from '../../upstream/upstream-failure.ts'

/** As OpenAI, Anthropic, Gemini and those that follow them say that a prompt does not fit. */
const tooLong =
  /context[_ ](length|window)|maximum context|too many (input )?tokens|prompt is too long|input (is|token count).*(too long|exceeds)|exceeds? the (maximum|model).*(token|length)|string too long|request_too_large/i

/** The same for content that a provider does not want to answer. */
const unwantedContent =
  /content[_ ](policy|filter|management)|safety (system|filter|settings)|data_inspection|sensitive|flagged|moderation|responsible ai/i

const outOfCredit = /insufficient[_ ](quota|balance|credit)|credit balance|billing|arrears|overdue/i

const isMissing = /model[_ ]not[_ ]found|model.*(does not exist|not found|not supported)|no such model/i

/** Client errors by what they say; a wrong request is none of the classes. */
const clientClass = (status: number, text: string): FailureClass | undefined => {
  if (tooLong.test(text) || status === 413) return 'context'
  if (unwantedContent.test(text)) return 'content'
  return isMissing.test(text) || status === 404 ? 'missing' : undefined
}

/**
 * The class of a refusal, undefined for requests that no other model would take either. Statuses are those of the providers'
 * documents (OpenAI error codes, Anthropic errors, Google's canonical codes).
 */
export const failureClassOf = ({ failure, status }: Refusal): FailureClass | undefined => {
  if (failure.code === 'answer_declined') return 'content'
  const text = `${failure.code} ${failure.type} ${failure.message}`
  if (failure.code === 'upstream_timeout' || status === 408 || status === 504 || status === 524) return 'timeout'
  if (status === 401 || status === 402 || outOfCredit.test(text)) return 'credentials'
  if (status === 403) return unwantedContent.test(text) ? 'content' : 'credentials'
  if (status === 429 || status === 503 || status === 529) return 'overload'
  if (status >= 500) return tooLong.test(text) ? 'context' : 'server'
  return clientClass(status, text)
}
