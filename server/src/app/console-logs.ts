import { joinDashboard } from '../features/dashboard/join.ts'
import type { Drawings } from '../features/drawings/drawings.ts'
import { joinDrawings } from '../features/drawings/join.ts'
import { joinFigures } from '../features/figures/join.ts'
import { joinLogs } from '../features/logs/join.ts'
import type { LogService } from '../features/logs/service.ts'
import type { LogStore, OlderLogs } from '../features/logs/store.ts'
import { openOrganisationReaders } from '../features/organisations/scopes.ts'
import { joinTasks } from '../features/tasks/join.ts'
import { logTokenReader } from '../features/tokens/caller/log-token.ts'
import type { CallerDirectory } from '../gateway/ports.ts'
import type { FeatureKit } from './parts.ts'

export interface LogsNeeds {
  readonly store: LogStore
  readonly olderLogs: readonly OlderLogs[]
  readonly apiKeys: CallerDirectory
}

export interface LogsSide {
  readonly drawings: Drawings
  readonly logs: LogService
  close(): Promise<void>
}

/** Joins all features that show what calls did: the usage log, figures, and the lists of drawings and tasks. */
export const joinLogsAndFigures = (kit: FeatureKit, { store, olderLogs, apiKeys }: LogsNeeds): LogsSide => {
  const readers = openOrganisationReaders(kit.database)
  const { logs, close } = joinLogs(kit, { store, olderLogs, tokenOf: logTokenReader(apiKeys) })
  const closeFigures = joinFigures(kit, readers)
  joinDashboard(kit, readers)
  const drawings = joinDrawings(kit, readers)
  joinTasks(kit, readers.organisationTasks)
  return {
    drawings,
    logs,
    async close() {
      closeFigures()
      await close()
    },
  }
}
