import {
  isOptionKey,
  type Language,
  type Option,
  type OptionEntry,
  type OptionKey,
  optionKeys,
  options,
} from '@tollgate/contract'
import { AppError } from '../../lib/app-error.ts'
import type { OptionState } from './snapshot.ts'

const optionOf = (key: OptionKey): Option<unknown> => options[key]

/** Options as text, without secrets and without what is above `role`. */
export const listEntries = (state: OptionState, role: number, language: Language): OptionEntry[] =>
  optionKeys
    .filter((key) => !optionOf(key).secret && optionOf(key).see <= role)
    .map((key) => {
      const problem = state.problems.get(key)?.[language]
      const value = optionOf(key).print(state.values[key])
      return problem === undefined ? { key, value } : { key, value, problem }
    })

/** Secrets that hold something. They concern access to other systems, so only who may write one learns of it. */
export const storedSecrets = (state: OptionState, role: number): OptionKey[] =>
  optionKeys.filter((key) => optionOf(key).secret && optionOf(key).write <= role && state.rows.has(key))

/** Keys of the secrets that hold something else than these texts. @throws AppError option_unknown for what is no secret. */
export const differingSecrets = (
  state: OptionState,
  texts: readonly { readonly key: string; readonly value: string }[],
): string[] =>
  texts
    .filter(({ key, value }) => {
      if (!isOptionKey(key) || !optionOf(key).secret) throw new AppError('option_unknown', { params: { key } })
      return state.values[key] !== value
    })
    .map(({ key }) => key)
