import { useState } from 'react'
import { calls, type Token } from '../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../lib/query.ts'
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
  const reveal = useAction(revealKey, { onDone: (key, shownId) => setShownKey({ id: shownId, key }) })
  const show = async (): Promise<void> => {
    await reveal.run(id)
  }
  return { key: shownKey?.id === id ? shownKey.key : undefined, busy: reveal.busy, show }
}
