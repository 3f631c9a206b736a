import { getChannelHealth, type Language, listChannelHealth, type RefusalFields } from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import { readCause } from '../../lib/json/stored-cause.ts'
import type { HealthService } from './health.ts'

export interface HealthRouteParts {
  readonly health: HealthService
  /** Models that a channel serves. Throws AppError('channel_not_found'). */
  modelsOf(channelId: number): Promise<readonly string[]>
}

/** Figures with their last error as a reader gets it. */
const forReader = <Figures extends { readonly last_error: string }>(
  figures: Figures,
  language: Language,
): Figures & RefusalFields => {
  const { text, ...fields } = readCause(figures.last_error, language)
  return { ...figures, last_error: text, ...fields }
}

export const healthRoutes = (on: On, { health, modelsOf }: HealthRouteParts): void => {
  on(listChannelHealth, async ({ query, language }) => {
    const channels = await health.list(query.ids)
    return { data: channels.map((channel) => forReader(channel, language)) }
  })
  on(getChannelHealth, async ({ params, language }) => {
    const { models, ...channel } = await health.one(params.id, await modelsOf(params.id))
    return { data: { ...forReader(channel, language), models: models.map((model) => forReader(model, language)) } }
  })
}
