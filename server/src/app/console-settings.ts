import type { Backups } from '../backup/scheduled-backups.ts'
import { dialects } from '../dialects/index.ts'
import { auditRoutes } from '../features/audit/routes.ts'
import { openAuditStore } from '../features/audit/store.ts'
import type { ChannelDirectory } from '../features/channels/directory.ts'
import { optionRoutes } from '../features/options/routes.ts'
import { ratiosAfterReset } from '../features/pricing/price-options.ts'
import { offerRoutes } from '../features/status/routes.ts'
import { joinSystem } from '../features/system/join.ts'
import type { ModuleRoute } from '../gateway/module-calls.ts'
import { createRoutes } from '../gateway/routes.ts'
import type { FeatureKit } from './parts.ts'

/** Joins what the screens of operators about the site itself call: options, facts of this node, changes. */
export const joinSettings = (
  kit: FeatureKit,
  { channels, calls, backups }: { channels: ChannelDirectory; calls: readonly ModuleRoute[]; backups: Backups },
): void => {
  const { on, options, database } = kit
  optionRoutes(on, options, () => ratiosAfterReset(kit.priceOptions()))
  joinSystem(kit, backups.last)
  auditRoutes(on, openAuditStore(database))
  offerRoutes(on, { calls: createRoutes(dialects, calls).offered, models: () => channels.snapshot().models })
}
