import { completionTokens, noUsage, promptTokens, sumOfModels, sumOfUsage, type Usage } from '../usage.ts'

/** Place of a receipt's line for turns of a session that cost another price than its first ones. */
export const turnsPlace = 'turns'

const holdsTokens = (usage: Usage): boolean =>
  promptTokens(usage) + completionTokens(usage) > 0 || usage.measures !== undefined || usage.unknown !== undefined

const at = (usage: Usage, { tier, place }: Pick<Usage, 'tier' | 'place'>): Usage => ({
  ...usage,
  ...(tier === undefined ? {} : { tier }),
  ...(place === undefined ? {} : { place }),
})

/**
 * The usage of two parts of one session. Turns in another service tier or place than the first ones are kept apart, since the same tokens
 * have another price there; tools have one price in all tiers.
 */
export const sumOfTurns = (one: Usage, other: Usage): Usage => {
  const sum = sumOfUsage(one, other)
  if (one.tier === other.tier && one.place === other.place) return at(sum, one)
  if (!holdsTokens(one)) return at(sum, other)
  if (!holdsTokens(other)) return at(sum, one)
  const { tools, disputed, models, stated: _, ...tokens } = other
  const apart = { place: turnsPlace, model: '', asked: true as const, usage: tokens }
  const main = sumOfUsage(one, {
    ...noUsage,
    ...(tools === undefined ? {} : { tools }),
    ...(disputed === undefined ? {} : { disputed }),
    ...(models === undefined ? {} : { models }),
  })
  return at({ ...main, models: { ...main.models, others: sumOfModels([...(main.models?.others ?? []), apart]) } }, one)
}

/** The same usage in which turns that are kept apart have the name of the session's model. */
export const withTurnsOf = (usage: Usage, model: string): Usage => {
  const { models } = usage
  if (models === undefined) return usage
  const others = models.others.map((each) => (each.place === turnsPlace ? { ...each, model } : each))
  return { ...usage, models: { ...models, others } }
}
