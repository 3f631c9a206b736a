import { joinStorageRefunds } from '../features/cached-contents/join.ts'
import type { StorageRefunds } from '../features/cached-contents/storage-refunds.ts'
import { joinDeclaredUsage } from '../features/declared-usage/join.ts'
import type { SiteNews } from '../features/notices/site-news.ts'
import { isPricedBy } from '../features/pricing/current-prices.ts'
import { joinTaskProgress, type TaskProgressSide } from '../features/task-progress/join.ts'
import type { Channels } from '../relay/ports.ts'
import type { JoinedModules } from './modules/join-modules.ts'
import type { FeatureKit } from './parts.ts'

export interface SettlingNeeds extends Pick<JoinedModules, 'settlings'> {
  readonly channels: Channels
  readonly news: SiteNews
  /** Quota units of one unit of currency, 0 where the site shows quota units. */
  unit(): number
  tokenChanged(tokenId: number): void
}

export interface SettlingSide extends Pick<TaskProgressSide, 'refreshDrawing'> {
  readonly storageRefunds: StorageRefunds
  close(): Promise<void>
}

/** Joins what changes charges after their calls: declared usage, the ends of tasks, and refunds. */
export const joinSettling = (kit: FeatureKit, needs: SettlingNeeds): SettlingSide => {
  const { channels, news, settlings, unit, tokenChanged } = needs
  const stopDeclaring = joinDeclaredUsage(kit, {
    settlings,
    tell: news.unknownUsage,
    isPriced: isPricedBy(kit.priceOptions),
  })
  const tasks = joinTaskProgress(kit, { channels, unit, tokenChanged })
  const storageRefunds = joinStorageRefunds(kit, { unit, tokenChanged })
  return {
    refreshDrawing: tasks.refreshDrawing,
    storageRefunds,
    async close() {
      await tasks.close()
      await storageRefunds.close()
      stopDeclaring()
    },
  }
}
