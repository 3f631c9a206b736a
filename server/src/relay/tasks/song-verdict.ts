import { errorText } from '@tollgate/contract'
import { textOf } from '../../dialects/conversation/json.ts'
import type { ServiceAnswer } from './ask-service.ts'
import { songRefusal } from './refusal.ts'
import { failureWith, isSuccess, shownText, turnsAway, type Verdict } from './verdict.ts'

const busy = 429

/** A submission's answer, read by its code; `redacted` cuts secrets out of what people get to see. */
export const songVerdict = (answer: ServiceAnswer, redacted: (text: string) => string): Verdict => {
  if (answer.kind === 'failed') {
    const { cause, sent } = answer
    const message = errorText('do_request_failed', 'zh')
    return {
      kind: 'refused',
      answer: undefined,
      refusal: { ...songRefusal('do_request_failed', message, 500), cause },
      failure: failureWith(0, 'do_request_failed', message, cause),
      retry: !sent,
    }
  }
  const { status, bytes, json } = answer
  const cause = redacted(`upstream status ${status}: ${shownText(bytes)}`)
  const refused = (
    code: string,
    message: string,
    mapped: number,
    { retry = false, isChannels = true } = {},
  ): Verdict => ({
    kind: 'refused',
    answer: undefined,
    refusal: { ...songRefusal(code, message, mapped), cause },
    failure: isChannels ? failureWith(status, code, message, cause) : undefined,
    retry,
  })
  if (!isSuccess(status)) {
    const message = status === busy ? errorText('upstream_overloaded', 'zh') : redacted(shownText(bytes))
    return refused('fail_to_fetch_task', message, status, { retry: turnsAway.has(status) })
  }
  if (json === undefined) return refused('unmarshal_response_body_failed', 'unmarshal_response_body_failed', 500)
  const code = textOf(json.code)
  const taskId = textOf(json.data)
  if (code !== 'success')
    return refused(code || 'invalid_response', redacted(textOf(json.message)), 500, { isChannels: false })
  if (taskId === '') return refused('invalid_response', 'the answer names no task', 500)
  return {
    kind: 'taken',
    answer: { status, bytes },
    task: {
      taskId,
      code: 1,
      description: '',
      state: '',
      status: 'NOT_START',
      progress: '0%',
      imageUrl: '',
      failReason: '',
    },
  }
}
