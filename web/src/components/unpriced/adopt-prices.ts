import { isObject, parseJson } from '@tollgate/contract/json'
import { call } from '../../lib/api/api.ts'
import { calls, role } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { type Action, useAction } from '../../lib/query.ts'
import { useUnpricedMessages } from './messages.ts'
import type { UnpricedModel } from './use-unpriced.ts'

export type PriceSuggestion = UnpricedModel['suggestions'][number]

/** A model with the suggestion to take its price from. */
export interface Adoption {
  readonly model: string
  readonly like: PriceSuggestion
}

/** Option → figure that a suggestion sets there; undefined leaves the option as it is. */
const figuresOf = {
  ModelRatio: (like: PriceSuggestion) => like.ratio,
  CompletionRatio: (like: PriceSuggestion) => like.completion_ratio,
  CacheRatio: (like: PriceSuggestion) => like.cache_ratio,
} as const

/** Adds the figures of suggestions to the options of prices; refused where another user changed them meanwhile. */
const adoptPrices = async (adoptions: readonly Adoption[]): Promise<number> => {
  const stored = new Map((await call(calls.listOptions)).map(({ key, value }) => [key, value]))
  const changes = Object.entries(figuresOf).flatMap(([key, figureOf]) => {
    const was = stored.get(key) ?? '{}'
    const map = parseJson(was)
    const next = new Map<string, unknown>(Object.entries(isObject(map) ? map : {}))
    let changed = false
    for (const { model, like } of adoptions) {
      const figure = figureOf(like)
      if (figure === undefined) continue
      next.set(model, figure)
      changed = true
    }
    return changed ? [{ key, value: JSON.stringify(Object.fromEntries(next)), was }] : []
  })
  if (changes.length > 0) await call(calls.putOptions, { body: { changes } })
  return adoptions.length
}

/** Sets prices from suggestions. Undefined for those who may not set prices. */
export const useAdoptPrices = (): Action<[readonly Adoption[]], number> | undefined => {
  const say = useUnpricedMessages()
  const mayChange = (useSession()?.role ?? 0) >= role.root
  const adopt = useAction(adoptPrices, {
    done: (count) => say('adopted', { count }),
    refresh: [calls.listUnpricedModels, calls.listOptions, calls.listPricing],
  })
  return mayChange ? adopt : undefined
}
