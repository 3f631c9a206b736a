import { randomUUID } from 'node:crypto'
import type { Bus } from '../../lib/redis/bus.ts'
import type { CountFile } from './count-file.ts'

/** Totals of a session since it began, over all nodes. */
export interface SessionSum {
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly calls: number
  /** Quota units. */
  readonly quota: number
}

/**
 * Counts of sessions with limits, and of browser keys with limits. Each node counts its own calls, sends its sums to the others and
 * writes them to its file at most once in `pauseMs`; a call causes no I/O. A sum may lack other nodes' calls of that time.
 */
export interface SessionCounts {
  /** Totals of a session; marks it as used. */
  sum(id: string): SessionSum
  /** Totals without marking it; undefined where the session is not counted, or was silent so long that it begins anew. */
  peek(id: string): SessionSum | undefined
  /** Counts a call that begins. */
  called(id: string): void
  /** Counts a call and writes it at once, so that it survives a crash within the pause. */
  calledForGood(id: string): void
  /** Adds the cost of a call, in quota units; ignored where the session is not counted. */
  charged(id: string, quota: number): void
}

export interface SessionCountsParts {
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Absent for a node that is alone. */
  readonly bus?: Pick<Bus, 'publish' | 'subscribe' | 'ready'>
  /** Absent where counts need not outlive the process. */
  readonly file?: CountFile
  /** Runs `work` after a pause. */
  readonly later?: (work: () => void) => void
  /** Most sessions; the least recently used are evicted. */
  readonly most?: number
}

interface Part {
  calls: number
  quota: number
}

interface Count {
  startedAt: number
  lastAt: number
  /** Sums by node; a restarted node has another name. */
  readonly parts: Map<string, Part>
}

const topic = 'session-counts'
/** Message that asks the others for their counts. */
const question = '?'
export const pauseMs = 50
const usualMost = 50_000
/** Milliseconds of silence after which a session begins anew. */
const forgottenMs = 86_400_000
/** Most sessions that a node sends to a starting one; the latest ones. */
const mostAnswered = 5_000
/** Sessions of one message; about 50 kB. */
const mostLines = 500
/** Most current and former nodes of one session. */
const mostParts = 64

const line = /^([0-9a-f]{16}) (\d{1,15}) ([0-9a-f]{8}) (\d{1,15}) (\d{1,15})$/
/** Line of the file, with the time of the last use in front. */
const keptLine = /^(\d{1,15}) (.*)$/

const afterPause = (work: () => void): void => {
  setTimeout(work, pauseMs).unref()
}

/** Opens the counts; reads the file, subscribes to the other nodes, and asks them for their counts. */
export const openSessionCounts = ({
  clock,
  bus,
  file,
  later = afterPause,
  most = usualMost,
}: SessionCountsParts): SessionCounts => {
  const own = randomUUID().slice(0, 8)
  const counts = new Map<string, Count>()
  const unsent = new Set<string>()

  const countOf = (id: string): Count => {
    const now = clock()
    const known = counts.get(id)
    const count =
      known !== undefined && now - known.lastAt < forgottenMs
        ? known
        : { startedAt: now, lastAt: now, parts: new Map<string, Part>() }
    count.lastAt = now
    counts.delete(id)
    counts.set(id, count)
    const [oldest] = counts.keys()
    if (counts.size > most && oldest !== undefined) counts.delete(oldest)
    return count
  }

  const partOf = ({ parts }: Count, node: string): Part => {
    const part = parts.get(node) ?? { calls: 0, quota: 0 }
    parts.set(node, part)
    const [oldest] = parts.keys()
    if (parts.size > mostParts && oldest !== undefined) parts.delete(oldest)
    return part
  }

  const publish = (lines: readonly string[]): void => {
    for (let at = 0; at < lines.length; at += mostLines) bus?.publish(topic, lines.slice(at, at + mostLines).join('\n'))
  }

  const linesOf = (id: string, node?: string): readonly string[] => {
    const { startedAt = 0, parts = new Map<string, Part>() } = counts.get(id) ?? {}
    return [...parts]
      .filter(([name]) => node === undefined || name === node)
      .map(([name, { calls, quota }]) => `${id} ${startedAt} ${name} ${calls} ${quota}`)
  }

  const keep = (lines: readonly string[]): void => {
    if (file === undefined) return
    const now = clock()
    file.append(lines.map((text) => `${now} ${text}`))
    if (!file.isLong()) return
    const used = [...counts].filter(([, { lastAt }]) => now - lastAt < forgottenMs)
    file.replace(used.flatMap(([id, { lastAt }]) => linesOf(id).map((text) => `${lastAt} ${text}`)))
  }

  const send = (): void => {
    const lines = [...unsent].flatMap((id) => linesOf(id, own))
    unsent.clear()
    publish(lines)
    keep(lines)
  }

  const changed = (id: string): void => {
    if (bus === undefined && file === undefined) return
    if (unsent.size === 0) later(send)
    unsent.add(id)
  }

  const learn = (text: string): void => {
    const [, id, startedAt, node, calls, quota] = line.exec(text) ?? []
    if (id === undefined || node === undefined || node === own) return
    const count = countOf(id)
    const part = partOf(count, node)
    count.startedAt = Math.min(count.startedAt, Number(startedAt))
    // Sums of a node only grow: of two messages the later one counts, in whichever order they arrive.
    part.calls = Math.max(part.calls, Number(calls))
    part.quota = Math.max(part.quota, Number(quota))
  }

  for (const text of file?.kept ?? []) {
    const [, lastAt = '', counted = ''] = keptLine.exec(text) ?? []
    if (clock() - Number(lastAt) >= forgottenMs) continue
    learn(counted)
    const [, id = ''] = line.exec(counted) ?? []
    const count = counts.get(id)
    if (count !== undefined) count.lastAt = Number(lastAt)
  }
  /** Counts that the others may lack when this node starts. */
  const known = [...counts.keys()].slice(-mostAnswered)

  bus?.subscribe(topic, (notice) => {
    if (notice.kind === 'resync') return bus.publish(topic, question)
    if (notice.own) return
    if (notice.message === question) publish([...counts.keys()].slice(-mostAnswered).flatMap((id) => linesOf(id)))
    else for (const text of notice.message.split('\n', mostLines)) learn(text)
  })
  void bus?.ready().then(() => {
    bus.publish(topic, question)
    publish(known.flatMap((id) => linesOf(id)))
  })

  const called = (id: string): void => {
    partOf(countOf(id), own).calls += 1
    changed(id)
  }

  const sumOf = ({ startedAt, parts }: Count): SessionSum => {
    const sum = { startedAt, calls: 0, quota: 0 }
    for (const { calls, quota } of parts.values()) {
      sum.calls += calls
      sum.quota += quota
    }
    return sum
  }

  return {
    sum: (id) => sumOf(countOf(id)),
    peek(id) {
      const count = counts.get(id)
      return count === undefined || clock() - count.lastAt >= forgottenMs ? undefined : sumOf(count)
    },
    called,
    calledForGood(id) {
      called(id)
      keep(linesOf(id, own))
    },
    charged(id, quota) {
      const count = counts.get(id)
      if (count === undefined || quota === 0) return
      partOf(count, own).quota += quota
      changed(id)
    },
  }
}
