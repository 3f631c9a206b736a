import { ownMember } from '@tollgate/contract/own-member'
import { channelTestLabel, type LogEntry, logType } from '../../lib/api/contract.ts'
import type { SayLog } from './messages.ts'
import { attemptsOf, isRequest, otherOf } from './other.ts'
import { contentText } from './sheet/details.ts'

export type ResultTone = 'good' | 'warn' | 'bad' | 'off' | 'info'

/** How a row ended, in one word, with the cause behind it. */
export interface Result {
  readonly tone: ResultTone
  readonly label: string
  /** Empty where there is nothing to add. */
  readonly cause: string
}

/** True for calls that an operator made to test a channel. */
export const isTest = (log: LogEntry): boolean => log.token_id === 0 && log.token_name === channelTestLabel

/** The name of the key; tests and calls of the playground have none. */
export const keyName = (log: LogEntry, say: SayLog): string => {
  if (isTest(log)) return say('test')
  return log.token_id === 0 && log.token_name.startsWith('playground-') ? say('playground') : log.token_name
}

const stoppedEnds = {
  upstream_broke: 'cause_upstream_broke',
  interrupted: 'cause_interrupted',
  stopped: 'cause_stopped',
  closed: 'cause_closed',
  out_of_quota: 'cause_out_of_quota',
} as const

const errorCauses = {
  rate_limit_exceeded: 'cause_rate_limited',
  rate_limit_error: 'cause_rate_limited',
  insufficient_quota: 'cause_no_balance',
  insufficient_user_quota: 'cause_no_balance',
  no_available_channel: 'cause_no_channel',
  model_price_error: 'cause_no_price',
  overloaded_error: 'cause_overloaded',
  upstream_timeout: 'cause_timeout',
  model_not_found: 'cause_no_model',
  context_length_exceeded: 'cause_too_long',
  invalid_api_key: 'cause_key_refused',
  authentication_error: 'cause_key_refused',
  content_filter: 'cause_filtered',
} as const

const typeLabels = { 1: 'type1', 3: 'type3', 4: 'type4' } as const

const retriesText = (log: LogEntry, say: SayLog): string => {
  const retries = attemptsOf(log).filter(({ hedge, cancelled }) => hedge !== 'second' && !cancelled).length - 1
  return retries > 0 ? say('retries', { count: retries }) : ''
}

const failed = (log: LogEntry, say: SayLog): Result => {
  const { status, error_code: code = '', repeated } = otherOf(log)
  if (otherOf(log).end === 'client_gone')
    return { tone: 'off', label: say('cancelled'), cause: say('cause_client_gone') }
  const known = ownMember<(typeof errorCauses)[keyof typeof errorCauses]>(errorCauses, code)
  const cause = known ? say(known) : contentText(log, say) || code.replaceAll('_', ' ')
  const times = repeated === undefined ? '' : say('repeatedTimes', { count: repeated })
  const retries = retriesText(log, say)
  return {
    tone: 'bad',
    label: status ? say('failedStatus', { status }) : say('failed'),
    cause: [times, cause, retries].filter(Boolean).join(' · '),
  }
}

/** The result of a call, or the kind of an entry that is no call. */
export const resultOf = (log: LogEntry, say: SayLog): Result => {
  if (log.type === logType.error) return failed(log, say)
  if (!isRequest(log)) {
    const label = ownMember<(typeof typeLabels)[keyof typeof typeLabels]>(typeLabels, String(log.type))
    return { tone: 'info', label: say(label ?? 'type0'), cause: contentText(log, say) }
  }
  const end = otherOf(log).end ?? 'done'
  if (end === 'client_gone') return { tone: 'off', label: say('cancelled'), cause: say('cause_client_gone') }
  const stopped = ownMember<(typeof stoppedEnds)[keyof typeof stoppedEnds]>(stoppedEnds, end)
  if (stopped) return { tone: 'warn', label: say('incomplete'), cause: say(stopped) }
  // An end that this console does not know is no success.
  if (end !== 'done') return { tone: 'warn', label: say('incomplete'), cause: end }
  return { tone: 'good', label: say('success'), cause: retriesText(log, say) }
}
