import { useMemo } from 'react'
import { type CompletionRule, calls } from '../../../lib/api/contract.ts'
import { usePricing } from '../../../lib/pricing.ts'
import { useEndpoint } from '../../../lib/query.ts'

const rulesStayMs = 3_600_000
const noModels: readonly string[] = []

/** Models that enabled channels serve, and those of them that have no price in force. */
export const useServedModels = (): { served: ReadonlySet<string>; unset: readonly string[] | undefined } => {
  const { data } = usePricing()
  const models = data?.models
  return useMemo(
    () => ({
      served: new Set(models?.map(({ model_name }) => model_name) ?? noModels),
      unset: models?.filter(({ priced }) => !priced).map(({ model_name }) => model_name),
    }),
    [models],
  )
}

/** The built-in completion ratios of these models, by name. */
export const useCompletionRules = (models: readonly string[]): ReadonlyMap<string, CompletionRule> => {
  const { data } = useEndpoint(
    calls.listCompletionRules,
    { body: { models: [...models] } },
    { staleTimeMs: rulesStayMs, enabled: models.length > 0 },
  )
  return useMemo(() => new Map(data?.map((rule) => [rule.model, rule])), [data])
}
