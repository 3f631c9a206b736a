import { type Option, type OptionKey, options, type Reading } from '@tollgate/contract'
import { AppError } from '../../lib/app-error.ts'
import type { Secrets } from '../../lib/secrets.ts'
import { auditFacts, type Facts } from './audit-facts.ts'
import type { OptionSnapshot } from './snapshot.ts'

/** One option about to change. `row` is what gets stored; undefined removes the row. */
export interface OptionChange {
  readonly key: OptionKey
  readonly row: string | undefined
  readonly before: Facts
  readonly after: Facts
}

const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0)

const checkRequirement = (option: Option<unknown>, value: unknown, values: OptionSnapshot): void => {
  const { requires } = option
  if (requires === undefined || value !== true) return
  const byKey: Readonly<Record<string, unknown>> = values
  if (!requires.keys.some((key) => isEmpty(byKey[key]))) return
  throw new AppError('option_requires', { params: { text: requires.words.zh, text_en: requires.words.en } })
}

const rowOf = (option: Option<unknown>, value: unknown, secrets: Secrets): string | undefined => {
  const text = option.print(value)
  if (!option.secret) return text
  return text === '' ? undefined : secrets.encrypt('option', text)
}

/**
 * Checks a change against the registry: who may write it, what it may hold, what it needs. `text` undefined means back
 * to the default. Throws `permission_denied`, `option_invalid`, `option_requires`.
 */
export const changeOf = (asked: {
  key: OptionKey
  text: string | undefined
  actor: { readonly role: number }
  values: OptionSnapshot
  secrets: Secrets
}): OptionChange => {
  const { key, text, values } = asked
  const option: Option<unknown> = options[key]
  if (asked.actor.role < option.write) throw new AppError('permission_denied')
  const reading: Reading<unknown> = text === undefined ? { ok: true, value: option.fallback } : option.read(text)
  if (!reading.ok) {
    const { zh, en } = reading.reason
    throw new AppError('option_invalid', { params: { key, reason: zh, reason_en: en } })
  }
  checkRequirement(option, reading.value, values)
  return {
    key,
    row: text === undefined ? undefined : rowOf(option, reading.value, asked.secrets),
    before: auditFacts(key, option, values[key]),
    after: auditFacts(key, option, reading.value),
  }
}
