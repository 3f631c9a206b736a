import { type Cause, type ErrorCode, errors, type Language } from '@tollgate/contract'
import { causeIn, readError } from './stored-error.ts'

/**
 * Errors that earlier versions stored by their Chinese text: why a channel or a key was disabled, and what an attempt failed
 * with. Tasks still do, since their clients read that text.
 */
const storedAsText = [
  'do_request_failed',
  'upstream_timeout',
  'upstream_broke',
  'bad_response_body',
  'answer_declined',
  'empty_answer',
  'upstream_overloaded',
  'credentials_failed',
  'channel_keys_disabled',
  'channel_balance_spent',
  'channel_too_slow',
  'task_channel_gone',
  'task_channel_disabled',
  'task_not_submitted',
  'task_timed_out',
  'drawing_busy',
] as const satisfies readonly ErrorCode[]

const escaped = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&')

/** Matches a Chinese text of the table of errors; its places, which are figures, become named groups. */
const patternOf = (code: ErrorCode): RegExp =>
  new RegExp(`^${escaped(errors[code].zh).replace(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>[\\d.]+)`)}$`)

const patterns = storedAsText.map((code) => ({ code, pattern: patternOf(code) }))

/** Tests of channels wrote the upstream's status before the text. */
const statusPrefix = /^status code \d+: /

const ownText = (text: string): Cause | undefined => {
  const sentence = text.replace(statusPrefix, '')
  for (const { code, pattern } of patterns) {
    const found = pattern.exec(sentence)
    if (found !== null) return { text, code, params: { ...found.groups } }
  }
  return undefined
}

/**
 * A stored cause in a language, with code and parameters where it is ours, however it was stored; what another program wrote
 * stays as it is.
 */
export const readCause = (stored: string, language: Language): Cause => {
  const cause = readError(stored, language)
  if (cause.code !== undefined || !/\p{Script=Han}/u.test(stored)) return cause
  const own = ownText(stored)
  return own === undefined ? cause : causeIn(own, language)
}

/** Tasks or drawings with why they failed, for a reader. */
export const withFailCause = <Row extends { readonly fail_reason: string }>(
  rows: readonly Row[],
  language: Language,
): (Row & { fail_cause?: Cause })[] =>
  rows.map((row) => (row.fail_reason === '' ? row : { ...row, fail_cause: readCause(row.fail_reason, language) }))
