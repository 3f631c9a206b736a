import { type Cause, type Channel, errorParams, type Language } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import { z } from 'zod'
import { readCause } from '../../lib/json/stored-cause.ts'
import { causeIn } from '../../lib/json/stored-error.ts'

/**
 * `other_info` of a channel that the server disabled; `time` in unix seconds. Clients read `status_reason`, which is Chinese
 * where the text is ours; `status_error` names the error behind it.
 */
export const disabledInfo = ({ text, code, params = {} }: Cause, time: number): string =>
  JSON.stringify({
    status_reason: text,
    status_time: time,
    status_error: code === undefined ? undefined : { code, params },
  })

const statusError = z.object({ code: z.string(), params: errorParams })

/** Why the server disabled a channel, in a language; undefined where it did not. */
const disabledCause = ({ other_info }: Pick<Channel, 'other_info'>, language: Language): Cause | undefined => {
  const { status_reason: text, status_error: error } = parseObject(other_info)
  if (typeof text !== 'string') return undefined
  const { data } = statusError.safeParse(error)
  return data === undefined ? readCause(text, language) : causeIn({ text, ...data }, language)
}

/** A channel with the reason why the server disabled it, for a reader. */
export const withDisabledCause = (channel: Channel, language: Language): Channel => {
  const cause = disabledCause(channel, language)
  return cause === undefined ? channel : { ...channel, disabled_cause: cause }
}
