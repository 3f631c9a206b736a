import { monitorEventLoopDelay } from 'node:perf_hooks'
import { shortText } from '../../lib/bounded-text.ts'
import type { RequestRecord } from '../../relay/ports.ts'
import type { CallListener } from '../call-listener.ts'
import type { Dependencies, NodeState } from '../node-state.ts'
import { createChannelHours } from './channel-hours.ts'
import { createLiveFigures } from './figures.ts'
import type { NodeReport } from './node-report.ts'

export interface LiveNodeParts {
  /** Id of the process. */
  readonly id: string
  readonly name: string
  readonly version: string
  readonly state: () => NodeState
  readonly isStopping: () => boolean
  readonly dependencies: Dependencies
  readonly clock: () => number
}

export interface NodeMonitor {
  readonly listener: CallListener
  report(): Promise<NodeReport>
  close(): void
}

const sampleMs = 1000
const mostErrors = 20
const mostChannels = 50
const longestCode = 100
const longestModel = 200

const errorOf = (record: RequestRecord): NodeReport['errors'][number] => {
  const { status, error_code: code } = record.other
  return {
    at: Math.floor(record.at / 1000),
    status: typeof status === 'number' ? status : 0,
    code: shortText(String(code ?? ''), longestCode),
    model: shortText(record.model, longestModel),
    channel: record.channelId,
    requestId: record.id,
  }
}

/** Present activity of this node, in memory: a few additions a call, and one look a second at calls under way. */
export const openLiveNode = (parts: LiveNodeParts): NodeMonitor => {
  const { clock, state, dependencies } = parts
  const figures = createLiveFigures()
  const channels = createChannelHours(clock)
  const errors: NodeReport['errors'] = []
  const startedAt = Math.floor(clock() / 1000)
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  let loopDelayMs = 0
  let cpu = 0
  let lastCpu = process.cpuUsage()
  let lastAt = performance.now()
  let samples = 0

  const sample = (): void => {
    const { running, waiting, holds } = state()
    figures.sample(clock(), { running, waiting: waiting.count, holds: holds.count })
    samples += 1
    // Of a few seconds together: of one alone it jumps.
    if (samples % 5 !== 0) return
    const used = process.cpuUsage(lastCpu)
    const at = performance.now()
    cpu = (used.user + used.system) / 1000 / Math.max(1, at - lastAt)
    lastCpu = process.cpuUsage()
    lastAt = at
    const p99 = delay.percentile(99) / 1e6
    // The timer's own interval is no delay.
    loopDelayMs = Number.isFinite(p99) ? Math.max(0, p99 - 20) : 0
    delay.reset()
  }
  const timer = setInterval(sample, sampleMs)
  timer.unref()

  return {
    listener: {
      attemptEnded: channels.ended,
      callRecorded(record) {
        const failed = record.kind === 'error'
        figures.call(clock(), failed, record.times ?? 1, Math.max(0, record.quota), record.measures?.firstMs)
        if (!failed) return
        errors.unshift(errorOf(record))
        if (errors.length > mostErrors) errors.pop()
      },
    },
    async report() {
      const [databaseMs = null, redisMs = null] = await Promise.all([
        dependencies.database(),
        dependencies.redis?.() ?? undefined,
      ])
      const now = clock()
      const { running, waiting, journal, holds, accepting } = state()
      return {
        id: parts.id,
        name: parts.name,
        pid: process.pid,
        version: parts.version,
        startedAt,
        state: parts.isStopping() ? 'stopping' : accepting ? 'ready' : 'refusing',
        cpu,
        running,
        memory: process.memoryUsage.rss(),
        loopDelayMs,
        waiting: waiting.count,
        oldestMs: waiting.oldestMs,
        journalBytes: journal.bytes,
        journalSegments: journal.segments,
        holds: holds.count,
        heldQuota: Math.max(0, holds.quota),
        databaseMs,
        ...(dependencies.redis === undefined ? {} : { redisMs }),
        hour: [...figures.hour(now)],
        seconds: [...figures.lastSeconds(now, 60)],
        channels: [...channels.failing(mostChannels)],
        errors: [...errors],
      }
    },
    close() {
      clearInterval(timer)
      delay.disable()
    },
  }
}
