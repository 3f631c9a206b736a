import { ownMember } from '@tollgate/contract/own-member'
import { createContext, useContext, useMemo, useState } from 'react'
import { useLanguage } from '../../lib/i18n.ts'
import { useSettingMessages } from './messages.ts'
import { type Key, optionOf } from './registry.ts'
import type { Stored } from './saving/stored.ts'
import { useChecks } from './saving/use-checks.ts'

type Texts = Readonly<Record<Key, string>>

/** The handlers of a field. */
export interface FieldActions {
  /** undefined takes the edit back. */
  edit(key: Key, text: string | undefined): void
  /** Shows the errors of fields once they were left or saved. */
  check(keys: readonly Key[]): void
}

/** Unsaved edits and the errors that prevent saving. A secret has a draft only while it changes. */
export interface SettingsState {
  readonly role: number
  readonly stored: Stored
  /** The text that a field shows. */
  text(key: Key): string
  draft(key: Key): string | undefined
  /** The same object until the server has something else. */
  readonly actions: FieldActions
  discard(keys: readonly Key[]): void
  /** The default as text; undefined for tables until the checks are there. */
  standard(key: Key): string | undefined
  /** Keys with unsaved changes or with errors. */
  readonly changed: readonly Key[]
  problem(key: Key): string | undefined
  refuse(reasons: Texts): void
  canWrite(key: Key): boolean
}

const without = <T>(record: Readonly<Record<Key, T>>, keys: readonly Key[]): Readonly<Record<Key, T>> =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)))

/** Drafts and errors over the stored values. */
export const useSettingsState = (stored: Stored, role: number): SettingsState => {
  const say = useSettingMessages()
  const language = useLanguage()
  const [drafts, setDrafts] = useState<Texts>({})
  const [checked, setChecked] = useState<Readonly<Record<Key, boolean>>>({})
  const [refusals, setRefusals] = useState<Texts>({})
  const checks = useChecks(Object.keys(drafts).length > 0)
  const storedText = (key: Key): string => stored.values.get(key) ?? ''

  const isChanged = (key: Key): boolean => {
    const draft = ownMember(drafts, key)
    if (draft === undefined) return false
    if (optionOf(key).secret) return draft !== '' || stored.secrets.has(key)
    return draft !== storedText(key) && checks?.printed(key, draft) !== storedText(key)
  }

  const actions = useMemo(
    (): FieldActions => ({
      edit(key, text) {
        const same = text === undefined || (!optionOf(key).secret && text === (stored.values.get(key) ?? ''))
        setDrafts((before) => (same ? without(before, [key]) : { ...before, [key]: text }))
        setChecked((before) => without(before, [key]))
        setRefusals((before) => without(before, [key]))
      },
      check: (keys) => setChecked((before) => ({ ...before, ...Object.fromEntries(keys.map((key) => [key, true])) })),
    }),
    [stored],
  )

  return {
    role,
    stored,
    text: (key) => ownMember(drafts, key) ?? storedText(key),
    draft: (key) => ownMember(drafts, key),
    actions,
    discard(keys) {
      setDrafts((before) => without(before, keys))
      setChecked((before) => without(before, keys))
      setRefusals((before) => without(before, keys))
    },
    standard: (key) => optionOf(key).standard ?? checks?.standardOf(key),
    changed: Object.keys(drafts).filter(isChanged),
    problem: (key) =>
      ownMember(refusals, key) ??
      (ownMember(checked, key)
        ? checks?.problemOf(key, ownMember(drafts, key) ?? storedText(key), language, say)
        : undefined),
    refuse: setRefusals,
    canWrite: (key) => role >= optionOf(key).write,
  }
}

export const SettingsContext = createContext<SettingsState | undefined>(undefined)

export const useSettings = (): SettingsState => {
  const settings = useContext(SettingsContext)
  if (!settings) throw new Error('outside of the settings screen')
  return settings
}
