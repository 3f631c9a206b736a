import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { every } from '#server/jobs/every.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import { openCaptures } from './captures.ts'
import { type CutRules, cutRulesOf } from './cut-rules.ts'
import { createInspector } from './inspector.ts'
import type { Replays } from './ports.ts'
import { inspectorRoutes } from './routes.ts'
import { openRunningInspections } from './running-inspections.ts'
import { openInspectorStore } from './store.ts'
import { openInspectedThings } from './things.ts'

const kilobyte = 1024
const purgeEveryMs = 60_000

/** Joins the inspector: its calls in the console, and what the relay asks at each call. */
export const join: JoinModule = async ({ on, channels, database, secrets, bus, audit, clock, options, log }) => {
  const store = openInspectorStore({ database, secrets })
  const failed = (error: unknown): void => log.error('capture_not_written', { error })
  const running = await openRunningInspections({ store, bus, clock, failed })
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
    inspections: captures,
    useGateway({ replays }) {
      relayed = replays
    },
    async close() {
      stop()
      running.close()
      await captures.idle()
    },
  }
}
