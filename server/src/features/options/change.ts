import { isOptionKey, type Option, type OptionKey, type OptionReading, options } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { AppError } from '../../lib/app-error.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import type { OptionSnapshot } from './snapshot.ts'

export type Facts = Readonly<Record<string, unknown>>

/**
 * A changed option as the audit trail keeps it: maps entry by entry, so that only what differs is kept; never a secret,
 * of which `era` only tells the old one from the new one.
 */
const auditFacts = (key: string, option: Option<unknown>, value: unknown, era: 'old' | 'new'): Facts => {
  if (option.secret) return { [key]: value === '' ? '' : `*** (${era})` }
  if (option.control !== 'json' || value === null || typeof value !== 'object' || Array.isArray(value)) {
    return { [key]: value }
  }
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [`${key}/${name}`, entry]))
}

export interface RequestedChange {
  readonly key: string
  /** undefined means back to the default. */
  readonly text: string | undefined
  /** The text that the writer saw; nothing is compared when absent. */
  readonly was?: string | undefined
}

/** One option about to change. `row` is what gets stored; undefined removes the row. */
export interface OptionChange {
  readonly key: OptionKey
  readonly row: string | undefined
  readonly before: Facts
  readonly after: Facts
}

export interface RefusedOption {
  readonly key: string
  readonly error: AppError
}

interface CurrentOptions {
  readonly actor: { readonly role: number }
  readonly values: OptionSnapshot
  readonly secrets: Secrets
}

/** A change whose value can be read. */
interface Candidate {
  readonly key: OptionKey
  readonly option: Option<unknown>
  readonly value: unknown
  readonly toDefault: boolean
}

const candidateOf = ({ key, text, was }: RequestedChange, { actor, values }: CurrentOptions): Candidate => {
  if (!isOptionKey(key)) throw new AppError('option_unknown', { params: { key } })
  const option: Option<unknown> = options[key]
  if (actor.role < option.write) throw new AppError('permission_denied')
  if (was !== undefined && !option.secret && was !== option.print(values[key])) {
    throw new AppError('option_changed', { params: { key } })
  }
  const reading: OptionReading<unknown> = text === undefined ? { ok: true, value: option.fallback } : option.read(text)
  if (!reading.ok) {
    const { zh, en } = reading.reason
    throw new AppError('option_invalid', { params: { key, reason: zh, reason_en: en } })
  }
  return { key, option, value: reading.value, toDefault: text === undefined }
}

const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0)

/** `next` holds what will be in force with all changes of this step. */
const checkRequirement = ({ option, value }: Candidate, next: Readonly<Record<string, unknown>>): void => {
  const { requires } = option
  if (requires === undefined || value !== true) return
  if (!requires.keys.some((key) => isEmpty(ownMember(next, key)))) return
  throw new AppError('option_requires', { params: { text: requires.text.zh, text_en: requires.text.en } })
}

const rowOf = ({ option, value, toDefault }: Candidate, secrets: Secrets): string | undefined => {
  if (toDefault) return undefined
  const text = option.print(value)
  if (!option.secret) return text
  return text === '' ? undefined : secrets.encrypt('option', text)
}

/** Runs `check` for each; those that throw an AppError are collected as refusals. */
const sorted = <A extends { readonly key: string }, B>(
  items: readonly A[],
  check: (item: A) => B,
): { passed: B[]; refused: RefusedOption[] } => {
  const passed: B[] = []
  const refused: RefusedOption[] = []
  for (const item of items) {
    try {
      passed.push(check(item))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refused.push({ key: item.key, error })
    }
  }
  return { passed, refused }
}

/**
 * Checks changes against the registry and against each other: that the options exist, who may write them, what they may
 * hold, what they need, and (with `was`) that no other admin changed them. Refusals carry `option_unknown`,
 * `permission_denied`, `option_changed`, `option_invalid`, `option_requires`.
 */
export const planChanges = (
  requested: readonly RequestedChange[],
  current: CurrentOptions,
): { changes: OptionChange[]; refused: RefusedOption[] } => {
  const read = sorted(requested, (change) => candidateOf(change, current))
  const next = { ...current.values, ...Object.fromEntries(read.passed.map(({ key, value }) => [key, value])) }
  const met = sorted(read.passed, (candidate): OptionChange => {
    checkRequirement(candidate, next)
    const { key, option, value } = candidate
    return {
      key,
      row: rowOf(candidate, current.secrets),
      before: auditFacts(key, option, current.values[key], 'old'),
      after: auditFacts(key, option, value, 'new'),
    }
  })
  return { changes: met.passed, refused: [...read.refused, ...met.refused] }
}
