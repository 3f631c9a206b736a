import { parseJson } from '@tollgate/contract/json'
import type { Bus } from '../../lib/redis/bus.ts'
import type { NodeMonitor } from './live-node.ts'
import { type NodeReport, nodeReport } from './node-report.ts'

export interface LiveNodesParts {
  readonly id: string
  readonly node: NodeMonitor
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>
  /** True where there are no other nodes to wait for. */
  readonly alone: boolean
  readonly clock: () => number
  /** Called for reports that could not be made. */
  readonly failed: (error: unknown) => void
}

export interface LiveNodes {
  /** Reports of this node and of all watched ones. The first call waits a moment for the others. */
  reports(): Promise<readonly NodeReport[]>
  close(): void
}

/** Somebody looks. */
export const watchTopic = 'live-watched'
/** A node says how it is. */
export const reportTopic = 'live'
const reportEveryMs = 2_000
/** A node reports so long after somebody looked. */
const watchedMs = 15_000
/** One that has said nothing for so long is not shown. */
const silentMs = 7_000
const firstWaitMs = 400
const mostNodes = 200

/** Undefined for what is no report of this version's form. */
export const readReport = (text: string): NodeReport | undefined => nodeReport.safeParse(parseJson(text)).data

/** Nodes tell each other what they do while somebody looks; otherwise they say nothing. */
export const openLiveNodes = ({ id, node, bus, alone, clock, failed }: LiveNodesParts): LiveNodes => {
  const others = new Map<string, { at: number; report: NodeReport }>()
  let watchedUntil = 0
  let askedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  const tell = async (): Promise<void> => {
    try {
      bus.publish(reportTopic, JSON.stringify(await node.report()))
    } catch (error) {
      failed(error)
    }
  }

  const tellWhileWatched = (): void => {
    watchedUntil = clock() + watchedMs
    if (timer !== undefined) return
    void tell()
    timer = setInterval(() => {
      if (clock() < watchedUntil) return void tell()
      clearInterval(timer)
      timer = undefined
    }, reportEveryMs)
    timer.unref()
  }

  const stops = [
    bus.subscribe(watchTopic, (notice) => {
      if (notice.kind === 'message' && !notice.own) tellWhileWatched()
    }),
    bus.subscribe(reportTopic, (notice) => {
      if (notice.kind !== 'message' || notice.own) return
      const report = readReport(notice.message)
      if (report === undefined || report.id === id || (others.size >= mostNodes && !others.has(report.id))) return
      others.set(report.id, { at: clock(), report })
    }),
  ]

  return {
    async reports() {
      const now = clock()
      const isFirst = !alone && now - askedAt > watchedMs
      if (now - askedAt > watchedMs / 3) {
        askedAt = now
        bus.publish(watchTopic)
      }
      if (isFirst) await new Promise((resolve) => setTimeout(resolve, firstWaitMs))
      for (const [name, { at }] of others) if (clock() - at > silentMs) others.delete(name)
      return [await node.report(), ...[...others.values()].map(({ report }) => report)]
    },
    close() {
      clearInterval(timer)
      for (const stop of stops) stop()
    },
  }
}
