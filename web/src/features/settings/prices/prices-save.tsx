import { priceKeys } from '@tollgate/contract/prices/price-keys'
import { useState } from 'react'
import type { PriceKey } from '../../../lib/api/contract.ts'
import { useLanguage } from '../../../lib/i18n.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useSettingMessages } from '../messages.ts'
import type { Key } from '../registry.ts'
import { loadChecks } from '../saving/use-checks.ts'
import type { SettingsState } from '../settings-state.ts'
import type { ChangedPrice } from './prices-preview.tsx'

const UnsavedPrices = onDemand(async () => (await import('./prices-unsaved.tsx')).UnsavedPrices)

const isPriceKey = (key: Key): key is PriceKey => (priceKeys as readonly Key[]).includes(key)

interface PriceSave {
  readonly keys: readonly Key[]
  readonly changes: readonly ChangedPrice[]
}

interface PreviewedSaving {
  save: (keys: readonly Key[]) => void
  /** The changes whose effect is shown before they are saved. */
  pending: PriceSave | undefined
  confirm: () => Promise<void>
  close: () => void
}

/**
 * Saves after showing the effect of changed prices. Invalid changes skip the preview, and saving refuses them. Render
 * `<SavingPreview {...saving} />` once.
 */
export const usePreviewedSaving = (
  settings: SettingsState,
  save: (keys: readonly Key[]) => Promise<void>,
): PreviewedSaving => {
  const sayOf = useSettingMessages()
  const language = useLanguage()
  const [pending, setPending] = useState<PriceSave>()

  const ask = async (keys: readonly Key[]): Promise<void> => {
    const { problemOf } = await loadChecks()
    const changed = keys.filter((key) => settings.changed.includes(key))
    const changes = changed.filter(isPriceKey).map((key) => ({ key, value: settings.text(key) }))
    const savable = changed.every((key) => problemOf(key, settings.text(key), language, sayOf) === undefined)
    if (changes.length > 0 && savable) setPending({ keys, changes })
    else await save(keys)
  }
  const confirm = async (): Promise<void> => {
    if (!pending) return
    await save(pending.keys)
    setPending(undefined)
  }
  return { save: (keys) => void ask(keys), pending, confirm, close: () => setPending(undefined) }
}

/** The effect of the prices that are to be saved. */
export const SavingPreview = ({ pending, confirm, close }: Omit<PreviewedSaving, 'save'>) =>
  pending && <UnsavedPrices changes={pending.changes} onConfirm={confirm} onClose={close} />
