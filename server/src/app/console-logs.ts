import { joinCallSessions } from '../features/call-sessions/join.ts'
import { joinDashboard } from '../features/dashboard/join.ts'
import { type ExploreNeeds, joinExplore } from '../features/explore/join.ts'
import { joinLogs } from '../features/logs/join.ts'
import type { OlderLogs } from '../features/logs/older/older-logs.ts'
import type { LogService } from '../features/logs/service.ts'
import type { LogStore } from '../features/logs/store.ts'
import { openOrganisationReaders } from '../features/organisations/readers.ts'
import { logTokenReader } from '../features/tokens/caller/log-token.ts'
import type { CallerDirectory } from '../gateway/ports.ts'
import type { SessionCounts } from '../relay/sessions/session-counts.ts'
import type { FeatureKit } from './parts.ts'

export interface LogsNeeds extends Pick<ExploreNeeds, 'alertNotice'> {
  readonly store: LogStore
  readonly olderLogs: readonly OlderLogs[]
  readonly apiKeys: CallerDirectory
}

export interface LogsSide {
  readonly logs: LogService
  readonly sessionCounts: SessionCounts
  close(): Promise<void>
}

/** Joins all features that show what calls did: the usage log, figures, and the list of sessions. */
export const joinLogsAndFigures = (
  kit: FeatureKit,
  { store, olderLogs, apiKeys, alertNotice }: LogsNeeds,
): LogsSide => {
  const readers = openOrganisationReaders(kit.database)
  const { logs, close } = joinLogs(kit, { store, olderLogs, tokenOf: logTokenReader(apiKeys) })
  const sessionCounts = joinCallSessions(kit)
  const closeExplore = joinExplore(kit, { ...readers, alertNotice })
  joinDashboard(kit, readers)
  return {
    logs,
    sessionCounts,
    async close() {
      await closeExplore()
      await close()
    },
  }
}
