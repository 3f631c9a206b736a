import { getChannelHealth, listChannelHealth } from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import type { HealthService } from './health.ts'

export interface HealthRouteParts {
  readonly health: HealthService
  /** Models that a channel serves. Throws AppError('channel_not_found'). */
  modelsOf(channelId: number): Promise<readonly string[]>
}

export const healthRoutes = (on: On, { health, modelsOf }: HealthRouteParts): void => {
  on(listChannelHealth, async ({ query }) => ({ data: await health.list(query.ids) }))
  on(getChannelHealth, async ({ params }) => ({ data: await health.one(params.id, await modelsOf(params.id)) }))
}
