import { useQueryClient } from '@tanstack/react-query'
import { isObject } from '@tollgate/contract/json'
import { useState } from 'react'
import { ApiError, call } from '../../../lib/api/api.ts'
import { calls, type OptionRefusal } from '../../../lib/api/contract.ts'
import { useLanguage } from '../../../lib/i18n.ts'
import { notifyFailure, notifyInfo } from '../../../lib/notify.tsx'
import { useAction } from '../../../lib/query.ts'
import { applyStatus } from '../../../lib/status.ts'
import { refusalText } from '../../../lib/text/refusal-text.ts'
import { useSettingMessages } from '../messages.ts'
import { allSections, fieldId, type Key, optionOf } from '../registry.ts'
import type { SettingsState } from '../settings-state.ts'
import { type Stored, storedKey, withSaved } from './stored.ts'
import { loadChecks } from './use-checks.ts'

/** A risky change, in the words to ask with. */
export interface Risk {
  readonly key: Key
  readonly text: string
}

interface Outcome {
  readonly saved: readonly Key[]
  readonly refused: readonly OptionRefusal[]
  /** The failure of the call itself. */
  readonly failures: readonly unknown[]
}

const needsOthers = (key: Key): boolean => optionOf(key).needsOthers === true

/** One group per section. Switches that need other options come last, when those are saved. */
const grouped = (keys: readonly Key[]): readonly (readonly Key[])[] => {
  const groups = allSections.map(({ options }) => keys.filter((key) => Object.hasOwn(options, key)))
  return groups
    .filter((group) => group.length > 0)
    .toSorted((a, b) => Number(a.some(needsOthers)) - Number(b.some(needsOthers)))
}

const refusalsIn = (error: unknown): readonly OptionRefusal[] => {
  const data = error instanceof ApiError && error.code === 'options_refused' ? error.data : undefined
  return isObject(data) && data.refused ? (data.refused as OptionRefusal[]) : []
}

/** Saves each section in one step; one that is refused does not stop the others. */
const saveGroups = async (groups: readonly (readonly Key[])[], settings: SettingsState): Promise<Outcome> => {
  const saved: Key[] = []
  const refused: OptionRefusal[] = []
  const failures: unknown[] = []
  for (const keys of groups) {
    const changes = keys.map((key) => ({
      key,
      value: settings.text(key),
      ...(optionOf(key).secret ? {} : { was: settings.stored.values.get(key) ?? '' }),
    }))
    try {
      await call(calls.putOptions, { body: { changes } })
      saved.push(...keys)
    } catch (error) {
      const reasons = refusalsIn(error)
      refused.push(...reasons)
      if (reasons.length === 0) failures.push(error)
    }
  }
  return { saved, refused, failures }
}

const isComplete = ({ refused, failures }: Pick<Outcome, 'refused' | 'failures'>): boolean =>
  refused.length === 0 && failures.length === 0

const showFirst = (key: Key | undefined): void => {
  if (key === undefined) return
  requestAnimationFrame(() => {
    const field = document.getElementById(fieldId(key))
    field?.scrollIntoView({ block: 'center' })
    field?.querySelector<HTMLElement>('input, textarea, button')?.focus({ preventScroll: true })
  })
}

/** Saves options: validates, asks about risks, and reports exactly which options were saved. */
export const useSaving = (settings: SettingsState) => {
  const say = useSettingMessages()
  const language = useLanguage()
  const client = useQueryClient()
  const [pending, setPending] = useState<{ keys: readonly Key[]; risks: readonly Risk[] }>()

  const report = ({ saved, refused, failures }: Outcome): void => {
    const [failure] = failures
    if (isComplete({ refused, failures })) return
    if (saved.length > 0) notifyFailure(say('partlyFailed'))
    else if (refused.length > 0) notifyFailure(say('failed'))
    if (failure !== undefined) notifyFailure(failure)
  }

  /** The saved values are in force although reading them again failed; the fields show them. */
  const goOnWithout = (saved: readonly Key[]): void => {
    const texts = new Map(saved.map((key) => [key, settings.text(key)]))
    client.setQueryData<Stored>(storedKey, (stored) => stored && withSaved(stored, texts))
    notifyFailure(say('refreshFailed'))
  }

  const saveAll = async (keys: readonly Key[]): Promise<Outcome> => {
    const outcome = await saveGroups(grouped(keys), settings)
    // Other parts of the screen may show the changed values; the fields must not fall back meanwhile.
    await client.invalidateQueries()
    if (client.getQueryState(storedKey)?.status === 'error') goOnWithout(outcome.saved)
    settings.discard(outcome.saved)
    settings.refuse(
      Object.fromEntries(outcome.refused.map((refusal) => [refusal.key, refusalText(refusal.message, refusal)])),
    )
    report(outcome)
    showFirst(outcome.refused[0]?.key)
    if (outcome.saved.some((key) => optionOf(key).status)) await refreshStatus()
    return outcome
  }
  const sending = useAction(saveAll, { done: (outcome) => (isComplete(outcome) ? say('saved') : undefined) })

  const save = async (keys: readonly Key[]): Promise<void> => {
    const changed = keys.filter((key) => settings.changed.includes(key))
    if (changed.length === 0) return notifyInfo(say('nothingChanged'))
    const { problemOf, riskOf } = await loadChecks()
    const broken = changed.filter((key) => problemOf(key, settings.text(key), language, say) !== undefined)
    settings.actions.check(broken)
    if (broken.length > 0) {
      notifyFailure(say('checkInput'))
      return showFirst(broken[0])
    }
    const risks = changed.flatMap((key) => {
      const text = riskOf(key, settings.text(key), language)
      return text === undefined ? [] : [{ key, text }]
    })
    if (risks.length > 0) setPending({ keys: changed, risks })
    else await sending.run(changed)
  }

  return {
    save,
    busy: sending.busy,
    /** Risks that wait for an answer. */
    risks: pending?.risks,
    confirm: async (): Promise<void> => {
      if (pending) await sending.run(pending.keys)
    },
    withdraw: () => setPending(undefined),
  }
}

/** Name, logo and switches of the shell follow at once; when it fails the next page has them. */
const refreshStatus = async (): Promise<void> => {
  try {
    applyStatus(await call(calls.getStatus))
  } catch {
    // The change itself is saved.
  }
}
