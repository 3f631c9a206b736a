import { joinDashboard } from '../features/dashboard/join.ts'
import { joinFigures } from '../features/figures/join.ts'
import { joinLogs } from '../features/logs/join.ts'
import type { LogService } from '../features/logs/service.ts'
import type { LogStore, OlderLogs } from '../features/logs/store.ts'
import { openOrganisationReaders } from '../features/organisations/scopes.ts'
import { logTokenReader } from '../features/tokens/caller/log-token.ts'
import type { CallerDirectory } from '../gateway/ports.ts'
import type { FeatureKit } from './parts.ts'

export interface LogsNeeds {
  readonly store: LogStore
  readonly olderLogs: readonly OlderLogs[]
  readonly apiKeys: CallerDirectory
}

export interface LogsSide {
  readonly logs: LogService
  close(): Promise<void>
}

/** Joins all features that show what calls did: the usage log, and figures. */
export const joinLogsAndFigures = (kit: FeatureKit, { store, olderLogs, apiKeys }: LogsNeeds): LogsSide => {
  const readers = openOrganisationReaders(kit.database)
  const { logs, close } = joinLogs(kit, { store, olderLogs, tokenOf: logTokenReader(apiKeys) })
  const closeFigures = joinFigures(kit, readers)
  joinDashboard(kit, readers)
  return {
    logs,
    async close() {
      closeFigures()
      await close()
    },
  }
}
