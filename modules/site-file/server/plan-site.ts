import type { Plan, PlanParts } from './plan.ts'
import { planChannels } from './plan-channels.ts'
import { planCards, planVirtualModels } from './plan-models.ts'
import { planOptions } from './plan-options.ts'

/** Changes that make the site as the file has it. @throws SiteFileError for values that the site cannot take. */
export const planSite = async (parts: PlanParts): Promise<Plan> => {
  const options = await planOptions(parts)
  const channels = await planChannels(parts)
  const cards = planCards(parts)
  const models = planVirtualModels(parts)
  return {
    steps: [...options.steps, ...channels.steps, ...cards.steps, ...models.steps],
    unnamed: [options, channels, cards, models].flatMap(({ unnamed }) => unnamed),
  }
}
