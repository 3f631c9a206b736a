import { errorText } from '@tollgate/contract'
import { isObject, textOf } from '../../dialects/conversation/json.ts'
import { editMembers } from '../../lib/json/json-edit.ts'
import { type DrawingAction, isFree } from './actions.ts'
import type { ServiceAnswer } from './ask-service.ts'
import { drawingCode, drawingRefusal } from './refusal.ts'
import { failureWith, isSuccess, type SubmittedTask, shownText, turnsAway, type Verdict } from './verdict.ts'

/** Result codes of Midjourney Proxy (github.com/novicezk/midjourney-proxy, ReturnCode). */
const code = { taken: 1, noAccount: 3, exists: 21, queued: 22, queueFull: 23, busy: 30 } as const

const busyText = errorText('drawing_busy', 'zh')

type Json = Readonly<Record<string, unknown>>

const codeOf = ({ code: stated }: Json): number => (Number.isSafeInteger(stated) ? Number(stated) : 0)

/** Uploads answer a list of addresses. */
const resultOf = ({ result }: Json): string => {
  if (Array.isArray(result)) return result.filter((part) => typeof part === 'string').join(',')
  return typeof result === 'number' ? String(result) : textOf(result)
}

const accepts = (action: DrawingAction, stated: number): boolean =>
  action === 'SWAP_FACE'
    ? stated === code.taken
    : stated === code.taken || stated === code.exists || stated === code.queued

const isAddress = (text: string): boolean => /^https?:\/\//i.test(text)

const begun = (action: DrawingAction, json: Json): SubmittedTask => {
  const stated = codeOf(json)
  const result = resultOf(json)
  const properties = isObject(json.properties) ? json.properties : {}
  const common = { taskId: result, description: textOf(json.description), state: '', failReason: '' }
  if (action === 'UPLOAD' && stated === code.taken) {
    const [first = ''] = result.split(',')
    const imageUrl = isAddress(first) ? first : ''
    return { ...common, code: stated, status: 'SUCCESS', progress: '100%', imageUrl }
  }
  if (stated !== code.exists) {
    const status = stated === code.queued ? 'NOT_START' : 'SUBMITTED'
    return { ...common, code: stated, status, progress: '0%', imageUrl: '' }
  }
  const status = textOf(properties.status)
  const imageUrl = textOf(properties.imageUrl)
  if (status === 'SUCCESS') return { ...common, code: code.taken, status, progress: '100%', imageUrl }
  return { ...common, code: stated, status, progress: '0%', imageUrl }
}

/** Clients read code 1 as success: an existing or queued drawing counts as one, but one that needs a MODAL must keep its code. */
const approved = (action: DrawingAction, stated: number, bytes: Buffer): Buffer =>
  stated === code.queued || (stated === code.exists && !isFree(action)) ? editMembers(bytes, { code: '1' }) : bytes

/** A refusal with the message of the service, or of a gateway before it. */
const refusalText = ({ description, message, error }: Json): string =>
  textOf(description) || textOf(message) || textOf(isObject(error) ? error.message : error)

/**
 * A submission's answer, read by its code; `answer.status` is the channel's mapped one, `redacted`
 * cuts secrets out of what people get to see.
 */
export const drawingVerdict = (
  action: DrawingAction,
  answer: ServiceAnswer,
  redacted: (text: string) => string,
): Verdict => {
  if (answer.kind === 'failed') {
    const { cause, sent } = answer
    return {
      kind: 'refused',
      answer: undefined,
      refusal: drawingRefusal('do_request_failed', { code: drawingCode.unreachable, cause }),
      failure: failureWith(0, 'do_request_failed', 'do_request_failed', cause),
      retry: !sent,
    }
  }
  const { status, bytes, json } = answer
  const cause = redacted(`upstream status ${status}: ${shownText(bytes)}`)
  if (json === undefined) {
    const message = bytes.length === 0 ? 'empty_response_body' : 'unmarshal_response_body_failed'
    return {
      kind: 'refused',
      answer: undefined,
      refusal: drawingRefusal(message, { code: drawingCode.unreachable, cause }),
      failure: failureWith(status, message, message, cause),
      retry: turnsAway.has(status),
    }
  }
  const stated = codeOf(json)
  const description = redacted(refusalText(json))
  if (isSuccess(status) && accepts(action, stated) && resultOf(json) !== '') {
    return { kind: 'taken', answer: { status, bytes: approved(action, stated, bytes) }, task: begun(action, json) }
  }
  if (stated === code.busy) {
    const refusal = drawingRefusal(description, { status: 429, code: stated, result: busyText, cause })
    return {
      kind: 'refused',
      answer: undefined,
      refusal,
      failure: failureWith(429, 'busy', description, cause),
      retry: true,
    }
  }
  const ofChannel = !isSuccess(status) || stated === code.noAccount || stated === code.queueFull
  const word = stated === code.noAccount ? 'no_account_instance' : ''
  const reason = stated === code.noAccount ? 'No available account instance' : description
  return {
    kind: 'refused',
    answer: { status, bytes: Buffer.from(redacted(bytes.toString())) },
    refusal: { status, code: stated, message: description, cause },
    failure: ofChannel ? failureWith(isSuccess(status) ? 503 : status, word, reason, cause) : undefined,
    retry: isSuccess(status) ? ofChannel : turnsAway.has(status),
  }
}
