import { priceKeys } from '@tollgate/contract/pricing'
import { type ReactNode, useState } from 'react'
import type { PriceKey } from '../../../lib/api/contract.ts'
import { useLanguage } from '../../../lib/i18n.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useSettingWords } from '../messages.ts'
import type { Key } from '../registry.ts'
import { problemOf } from '../saving/problem.ts'
import type { Settings } from '../settings-state.ts'
import { usePriceWords } from './prices-messages.ts'
import type { ChangedPrice } from './prices-preview.tsx'

const PricePreview = onDemand(async () => (await import('./prices-preview.tsx')).PricePreview)

const isPriceKey = (key: Key): key is PriceKey => (priceKeys as readonly Key[]).includes(key)

interface Asked {
  readonly keys: readonly Key[]
  readonly changes: readonly ChangedPrice[]
}

/** Saving that first shows what changed prices would do. What cannot be saved anyway goes straight on, to be refused. */
export const usePreviewedSaving = (
  settings: Settings,
  save: (keys: readonly Key[]) => Promise<void>,
): { save: (keys: readonly Key[]) => void; preview: ReactNode } => {
  const say = usePriceWords()
  const sayOf = useSettingWords()
  const language = useLanguage()
  const [asked, setAsked] = useState<Asked>()

  const ask = (keys: readonly Key[]): void => {
    const changed = keys.filter((key) => settings.changed.includes(key))
    const changes = changed.filter(isPriceKey).map((key) => ({ key, value: settings.text(key) }))
    const savable = changed.every((key) => problemOf(key, settings.text(key), language, sayOf) === undefined)
    if (changes.length > 0 && savable) setAsked({ keys, changes })
    else void save(keys)
  }
  const confirm = async (): Promise<void> => {
    if (!asked) return
    await save(asked.keys)
    setAsked(undefined)
  }
  return {
    save: ask,
    preview: asked && (
      <PricePreview
        changes={asked.changes}
        title={say('previewTitle')}
        text={say('previewText')}
        confirmLabel={say('saveNow')}
        onConfirm={confirm}
        onClose={() => setAsked(undefined)}
      />
    ),
  }
}
