import { type LogText, logType } from '@tollgate/contract'
import { openStoredThrottle } from '../features/accounts/waits/stored-throttle.ts'
import { joinStorageRefunds } from '../features/cached-contents/join.ts'
import type { StorageRefunds } from '../features/cached-contents/storage-refunds.ts'
import { joinDeclaredUsage } from '../features/declared-usage/join.ts'
import type { RecordEvent } from '../features/logs/events.ts'
import type { SiteNews } from '../features/notices/site-news.ts'
import { isPricedBy } from '../features/pricing/current-prices.ts'
import { joinRedemptions } from '../features/redemptions/join.ts'
import { joinTaskProgress, type TaskProgressSide } from '../features/task-progress/join.ts'
import { joinWallet } from '../features/wallet/join.ts'
import type { Channels } from '../relay/ports.ts'
import type { JoinedModules } from './modules/join-modules.ts'
import type { FeatureKit } from './parts.ts'

export interface TopUpNeeds {
  readonly recordEvent: RecordEvent
  amountText(quota: number): string
}

/** Joins redemption codes and online top-ups; answers what ends them. */
export const joinTopUps = async (
  kit: FeatureKit,
  { recordEvent, amountText }: TopUpNeeds,
): Promise<() => Promise<void>> => {
  /** The money has moved by then, so a log that cannot be written is no failure. */
  const writeEvent = (event: { userId: number; username: string; text: LogText }): Promise<void> =>
    recordEvent({ ...event, type: logType.topUp }).catch((error: unknown) =>
      kit.log.warn('top_up_not_logged', { user_id: event.userId, error }),
    )
  const guesses = await openStoredThrottle(kit, 'redeem')
  joinRedemptions(kit, { guesses: guesses.throttle, amountText, writeEvent })
  const closeWallet = joinWallet(kit, { amountText, writeEvent })
  return async () => {
    await closeWallet()
    await guesses.close()
  }
}

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
