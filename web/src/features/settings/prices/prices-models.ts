import { useMemo } from 'react'
import { type CompletionRule, calls, type PricingItem } from '../../../lib/api/contract.ts'
import { usePricing } from '../../../lib/pricing.ts'
import { useEndpoint } from '../../../lib/query.ts'

const rulesStayMs = 3_600_000
const noModels: readonly string[] = []

interface ServedModels {
  /** Nothing is known of them yet. */
  readonly isPending: boolean
  readonly served: ReadonlySet<string>
  /** Without a price in force. */
  readonly unset: readonly string[] | undefined
  /** Present prices of the other models, by name. */
  readonly inForce: ReadonlyMap<string, PricingItem>
}

/** Models that enabled channels serve. */
export const useServedModels = (): ServedModels => {
  const { data, isPending } = usePricing()
  const models = data?.models
  return useMemo(
    () => ({
      isPending,
      served: new Set(models?.map(({ model_name }) => model_name) ?? noModels),
      unset: models?.filter(({ priced }) => !priced).map(({ model_name }) => model_name),
      inForce: new Map(models?.filter(({ priced }) => priced).map((item) => [item.model_name, item])),
    }),
    [models, isPending],
  )
}

/** The completion ratios that price lists have for these models, by name. */
export const useCompletionRules = (models: readonly string[]): ReadonlyMap<string, CompletionRule> => {
  const { data } = useEndpoint(
    calls.listCompletionRules,
    { body: { models: [...models] } },
    { staleTimeMs: rulesStayMs, enabled: models.length > 0 },
  )
  return useMemo(() => new Map(data?.map((rule) => [rule.model, rule])), [data])
}
