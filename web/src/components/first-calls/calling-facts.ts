import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { calls, type Token } from '../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../lib/query.ts'

const fallbackModel = 'gpt-4o-mini'

/** Names of models that no chat can be held with. */
const noChat = /embed|rerank|whisper|tts|dall-e|image|realtime|moderation|transcribe|audio|mj_|suno|video|sora|veo|ocr/i

/** The whole key with its prefix. Lists carry masked keys only, so it takes a call of its own. */
export const revealKey = async (id: number): Promise<string> => {
  const { key } = await call(calls.revealToken, { params: { id } })
  return `sk-${key}`
}

/** A model for a first call, a small one where there is. Models in `without` are taken only if there is no other. */
export const firstModelOf = (models: readonly string[], without: ReadonlySet<string>): string | undefined => {
  const chat = models.filter((model) => !noChat.test(model))
  const usable = chat.filter((model) => !without.has(model))
  return usable.includes(fallbackModel) ? fallbackModel : (usable[0] ?? chat[0] ?? models[0])
}

const none: ReadonlySet<string> = new Set()

/** A model that the key may call, a small one where there is. Models in `without` are avoided. */
export const useModelOf = (
  token: Pick<Token, 'model_limits_enabled' | 'model_limits'>,
  without: ReadonlySet<string> = none,
): string => {
  const { data: models } = useEndpoint(calls.getOwnModels)
  const [limited] = token.model_limits_enabled ? token.model_limits.split(',') : []
  return limited || firstModelOf(models ?? [], without) || fallbackModel
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
