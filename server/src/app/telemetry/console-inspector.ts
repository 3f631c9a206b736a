import type { ChannelDirectory } from '../../features/channels/directory.ts'
import { openCaptures } from '../../features/inspector/captures.ts'
import { type CutRules, cutRulesOf } from '../../features/inspector/cut-rules.ts'
import { createInspector } from '../../features/inspector/inspector.ts'
import type { Replays } from '../../features/inspector/ports.ts'
import { inspectorRoutes } from '../../features/inspector/routes.ts'
import { openRunningInspections } from '../../features/inspector/running-inspections.ts'
import { openInspectorStore } from '../../features/inspector/store.ts'
import { openInspectedThings } from '../../features/inspector/things.ts'
import type { On } from '../../http/route.ts'
import { every } from '../../jobs/every.ts'
import { unixSeconds } from '../../lib/clock.ts'
import type { Inspections } from '../../relay/captures.ts'
import type { SharedParts } from '../parts.ts'

export interface InspectorSide {
  readonly captures: Inspections
  /** How captured calls are made again, once the relay is there. */
  sendWith(replays: Replays): void
  close(): Promise<void>
}

const kilobyte = 1024
const purgeEveryMs = 60_000

/** Joins the inspector: its calls in the console, and what the relay asks at each call. */
export const joinInspector = async (
  { database, secrets, bus, audit, clock, options, log, sources }: SharedParts,
  channels: Pick<ChannelDirectory, 'snapshot'>,
  on: On,
): Promise<InspectorSide> => {
  const store = openInspectorStore({ database, secrets })
  const failed = (error: unknown): void => log.error('capture_not_written', { error })
  const running = await openRunningInspections({ store, bus, clock, failed, switched: sources.bump })
  let fields: readonly string[] | undefined
  let rules: CutRules = cutRulesOf([])
  const currentRules = (): CutRules => {
    const current = options.get('InspectorCutFields')
    if (current !== fields) rules = cutRulesOf(current)
    fields = current
    return rules
  }
  const keepSeconds = (): number => options.get('InspectorKeepHours') * 3_600
  const captures = openCaptures({
    store,
    running,
    enabled: () => options.get('InspectorAccess') !== 'off',
    limits: () => ({
      bodyBytes: options.get('InspectorBodyKilobytes') * kilobyte,
      totalBytes: options.get('InspectorTotalMegabytes') * kilobyte * kilobyte,
      keepSeconds: keepSeconds(),
    }),
    rules: currentRules,
    clock,
    failed,
  })
  let relayed: Replays | undefined
  const inspector = createInspector({
    store,
    running,
    captures,
    things: openInspectedThings(database, (id) => channels.snapshot().byId(id)),
    replays: {
      takes: (path) => relayed?.takes(path) ?? false,
      send: async (replay) => relayed?.send(replay),
    },
    record: audit.record,
    clock,
    settings: () => ({
      access: options.get('InspectorAccess'),
      keepSeconds: keepSeconds(),
      sandboxUser: options.get('InspectorSandboxUserId'),
    }),
  })
  inspectorRoutes(on, inspector)
  const stop = every(
    purgeEveryMs,
    async () => {
      await running.refresh()
      await store.purge(unixSeconds(clock))
    },
    (error) => log.warn('captures_not_purged', { error }),
  )
  return {
    captures,
    sendWith(replays) {
      relayed = replays
    },
    async close() {
      stop()
      running.close()
      await captures.idle()
    },
  }
}
