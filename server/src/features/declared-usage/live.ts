import type { Declarations } from '../../billing/declared/declarations.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../lib/log.ts'
import type { Bus } from '../../lib/redis/bus.ts'
import { openDeclaredUsageStore } from './store.ts'

const topic = 'declared_usage'

/** Declarations of the operator, in memory: read at the start, when another node changes them, and every `syncFrequencyMs`. */
export interface LiveDeclarations {
  /** The same object until it changes. */
  present(): Declarations
  /** Reads the database, and tells the other nodes to. */
  changed(): Promise<void>
  close(): void
}

export const openLiveDeclarations = async (parts: {
  readonly database: Database
  readonly bus: Bus
  readonly log: Pick<Log, 'warn'>
  readonly syncFrequencyMs: number
  /** Called when others are present than before. */
  readonly replaced?: () => void
}): Promise<LiveDeclarations> => {
  const store = openDeclaredUsageStore(parts.database)
  let present = await store.declarations()
  const refresh = async (): Promise<void> => {
    const read = await store.declarations()
    if (JSON.stringify(read) === JSON.stringify(present)) return
    present = read
    parts.replaced?.()
  }
  const refreshSoon = (): void => {
    refresh().catch((error: unknown) => parts.log.warn('declared_usage_reload_failed', { error }))
  }
  const unsubscribe = parts.bus.subscribe(topic, (notice) => {
    if (notice.kind === 'resync' || !notice.own) refreshSoon()
  })
  const timer = setInterval(refreshSoon, parts.syncFrequencyMs)
  timer.unref()
  return {
    present: () => present,
    async changed() {
      await refresh()
      parts.bus.publish(topic)
    },
    close() {
      clearInterval(timer)
      unsubscribe()
    },
  }
}
