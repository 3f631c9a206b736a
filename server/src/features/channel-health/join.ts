import type { SharedParts } from '../../app/parts.ts'
import type { On } from '../../http/route.ts'
import { every } from '../../jobs/every.ts'
import { openEngineProbe } from './engine-probe.ts'
import { createHealthService, type HealthService } from './health.ts'
import { type LiveHealth, openLiveHealth } from './live.ts'
import { healthRoutes } from './routes.ts'
import { openHealthStore } from './store.ts'

const flushEveryMs = 20_000
const purgeEveryMs = 3_600_000

export interface HealthSide {
  readonly live: LiveHealth
  readonly list: HealthService['list']
  routes(on: On, modelsOf: Parameters<typeof healthRoutes>[1]['modelsOf']): void
  /** Writes down what happened; call it when no call is relayed any more. */
  close(): Promise<void>
}

/** Joins the health of channels: what this node sees of it, and what is stored for all. */
export const joinChannelHealth = (
  { database, clock, bus, log, upstream }: Pick<SharedParts, 'database' | 'clock' | 'bus' | 'log' | 'upstream'>,
  forgiven: (channelId: number) => void,
): HealthSide => {
  const live = openLiveHealth({ clock, bus, forgiven, probe: openEngineProbe(upstream) })
  const health = createHealthService({ store: openHealthStore(database), live, clock })
  const late = (error: unknown): void => log.warn('channel_health_not_written', { error })
  const stops = [every(flushEveryMs, health.flush, late), every(purgeEveryMs, health.purge, late)]
  return {
    live,
    list: health.list,
    routes: (on, modelsOf) => healthRoutes(on, { health, modelsOf }),
    async close() {
      for (const stop of stops) stop()
      live.close()
      await health.flush().catch(late)
    },
  }
}
