import type { Plan } from './plan.ts'
import { planChannels } from './plan-channels.ts'
import { planCards, planVirtualModels } from './plan-models.ts'
import { planOptions } from './plan-options.ts'
import type { ReadSiteFile } from './read-site-file.ts'
import type { SiteApi } from './site-api.ts'
import type { SiteState } from './site-state.ts'

export interface PlanParts {
  readonly file: ReadSiteFile
  readonly site: SiteState
  /** Compares secrets; nothing else. */
  readonly api: SiteApi
  /** The secret behind a reference; undefined where secrets are left alone. Throws where it cannot be found. */
  secretOf(reference: string): string | undefined
  /** Whether things that the file does not name, in sections that it has, are removed. */
  readonly prune: boolean
}

/** What has to change so that the site is as the file says. @throws SiteFileError for what the site cannot take. */
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
