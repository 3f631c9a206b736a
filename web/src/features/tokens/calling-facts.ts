import { useState } from 'react'
import { calls, type Token } from '../../lib/api/contract.ts'
import { notifyFailure } from '../../lib/notify.tsx'
import { useEndpoint } from '../../lib/query.ts'
import { revealKey } from './key-cell.tsx'

const fallbackModel = 'gpt-4o-mini'

/** A model that the key may call, a small one where there is. */
export const useModelOf = (token: Pick<Token, 'model_limits_enabled' | 'model_limits'>): string => {
  const { data: models } = useEndpoint(calls.getOwnModels)
  const [limited] = token.model_limits_enabled ? token.model_limits.split(',') : []
  return limited || (models?.includes(fallbackModel) ? fallbackModel : models?.[0]) || fallbackModel
}

/** The whole key, once the user asked to see it; lists carry masked ones. */
export const useRevealed = (id: number): { key: string | undefined; busy: boolean; show: () => Promise<void> } => {
  const [shownKey, setShownKey] = useState<{ id: number; key: string }>()
  const [busy, setBusy] = useState(false)
  const show = async (): Promise<void> => {
    setBusy(true)
    try {
      setShownKey({ id, key: await revealKey(id) })
    } catch (error) {
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return { key: shownKey?.id === id ? shownKey.key : undefined, busy, show }
}
