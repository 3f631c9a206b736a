import { dialects } from '../dialects/index.ts'
import { auditRoutes } from '../features/audit/routes.ts'
import { openAuditStore } from '../features/audit/store.ts'
import type { ChannelDirectory } from '../features/channels/directory.ts'
import { liveRoutes } from '../features/live/routes.ts'
import { optionRoutes } from '../features/options/routes.ts'
import { ratiosAfterReset } from '../features/pricing/reset-ratios.ts'
import { refusedRecordRoutes } from '../features/refused-records/routes.ts'
import { offerRoutes } from '../features/status/offer.ts'
import { joinSystem } from '../features/system/join.ts'
import { createRoutes } from '../gateway/routes.ts'
import type { Monitoring } from '../telemetry/monitoring.ts'
import type { FeatureKit } from './parts.ts'

export interface SettingsNeeds {
  readonly monitoring: Pick<Monitoring, 'liveNodes' | 'channels'>
  readonly channels: ChannelDirectory
}

/** Joins what the screens of operators about the site itself call: options, facts of this node, changes, live figures. */
export const joinSettings = (kit: FeatureKit, { monitoring, channels }: SettingsNeeds): void => {
  const { on, options, ledger, config, audit, database, clock } = kit
  optionRoutes(on, options, () => ratiosAfterReset(kit.priceOptions()))
  joinSystem(kit)
  refusedRecordRoutes(on, {
    refused: ledger.refused,
    nodeName: config.nodeName,
    audit: (entry) => audit.record(entry),
  })
  auditRoutes(on, openAuditStore(database))
  liveRoutes(on, { nodes: monitoring.liveNodes, channels: monitoring.channels, clock })
  offerRoutes(on, { calls: createRoutes(dialects).offered, models: () => channels.snapshot().models })
}
