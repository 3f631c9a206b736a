import {
  type BilingualText,
  type OptionKey,
  type OptionReading,
  type OptionValue,
  optionKeys,
  options,
} from '@tollgate/contract'
import { withBasePath } from '../../lib/base-path.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import type { TaskOptions } from '../../relay/tasks/ports.ts'

/** The value of every option at one moment. Never changes; a change makes a new one. */
export type OptionSnapshot = { readonly [K in OptionKey]: OptionValue<K> }

/** A snapshot with what it was made from. */
export interface OptionState {
  readonly values: OptionSnapshot
  /** Stored text by key, secrets still encrypted. */
  readonly rows: ReadonlyMap<string, string>
  /** Why stored rows are not in use, by key. */
  readonly problems: ReadonlyMap<OptionKey, BilingualText>
}

const undecipherable: BilingualText = {
  zh: '无法解密，请重新填写',
  en: 'It cannot be decrypted; enter it again',
}

const defaults = Object.freeze(
  Object.fromEntries(optionKeys.map((key) => [key, options[key].fallback])),
) as OptionSnapshot

export const defaultState: OptionState = { values: defaults, rows: new Map(), problems: new Map() }

/** Reads a stored row of any option. */
const readRow = (key: OptionKey, row: string, secrets: Secrets): OptionReading<unknown> => {
  const option = options[key]
  if (!option.secret) return option.read(row)
  try {
    return option.read(secrets.decrypt('option', row))
  } catch {
    return { ok: false, reason: undecipherable }
  }
}

/** The site whose options are read. */
export interface OptionPlace {
  readonly secrets: Secrets
  /** Path below which the site is reached; empty for the root of its host. */
  readonly basePath?: string | undefined
}

/** The site's address always has its base path, so that every link made of it does. */
const inPlace = (key: OptionKey, value: unknown, basePath: string): unknown =>
  key === 'ServerAddress' && typeof value === 'string' ? withBasePath(basePath, value) : value

/**
 * The state that follows `current` when the database holds `rows`. Rows that did not change are not read again; a row
 * that cannot be used leaves the value that is live and is named among the problems.
 */
export const stateFrom = (
  rows: ReadonlyMap<string, string>,
  current: OptionState,
  { secrets, basePath = '' }: OptionPlace,
): OptionState => {
  const values: Record<string, unknown> = {}
  const problems = new Map<OptionKey, BilingualText>()
  for (const key of optionKeys) {
    const row = rows.get(key)
    const problem = current.problems.get(key)
    if (row === current.rows.get(key)) {
      values[key] = current.values[key]
      if (problem !== undefined) problems.set(key, problem)
      continue
    }
    const reading: OptionReading<unknown> =
      row === undefined ? { ok: true, value: options[key].fallback } : readRow(key, row, secrets)
    values[key] = reading.ok ? inPlace(key, reading.value, basePath) : current.values[key]
    if (!reading.ok) problems.set(key, reading.reason)
  }
  return { values: Object.freeze(values) as OptionSnapshot, rows, problems }
}

/** Keys whose value differs between two states. */
export const changedKeys = (before: OptionState, after: OptionState): readonly OptionKey[] =>
  optionKeys.filter((key) => before.values[key] !== after.values[key])

/** Options about drawings, as they are at present. */
export const taskOptions =
  (snapshot: () => OptionSnapshot): (() => TaskOptions) =>
  () => {
    const values = snapshot()
    return {
      notify: values.MjNotifyEnabled,
      accountFilter: values.MjAccountFilterEnabled,
      clearModes: values.MjModeClearEnabled,
      forwardImages: values.MjForwardUrlEnabled,
      needsSuccess: values.MjActionCheckSuccessEnabled,
      serverAddress: values.ServerAddress.replace(/\/+$/, ''),
    }
  }
