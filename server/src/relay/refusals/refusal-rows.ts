import type { CallFacts } from '../call.ts'
import type { CallFailure } from '../failure.ts'
import type { Recorder, RequestRecord } from '../ports.ts'
import { createAttemptLog } from '../records/attempt-log.ts'
import { errorRecord } from '../records/record.ts'

export interface RefusalRowsParts {
  readonly recorder: Pick<Recorder, 'fail'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
  readonly windowMs?: number
  readonly mostOfKey?: number
  readonly mostOfAddress?: number
}

/** Limits the rows of refused calls: a call that reached no upstream is free for its caller, and many could fill the disk. */
export interface RefusalRows {
  /** True when the call gets a row of its own; false when it was only counted in the row of its minute. */
  admit(facts: CallFacts, failure: CallFailure): boolean
  /** Writes the rows of what was counted. */
  close(): Promise<void>
}

/** Refused calls that are one row together: the last of them and how many there were. */
interface Counted {
  facts: CallFacts
  failure: CallFailure
  times: number
}

const minute = 60_000
/** An address of many people may have more than one key; both together bound what one attacker writes. */
const usualMostOfKey = 20
const usualMostOfAddress = 60
/** Keys and addresses of one minute. Beyond them everything is counted by user. */
const mostNames = 50_000

const summaryOf = ({ facts, failure, times }: Counted, now: number): RequestRecord => {
  const record = errorRecord(facts, createAttemptLog(), failure, now)
  return times === 1 ? record : { ...record, times, other: { ...record.other, repeated: times } }
}

export const openRefusalRows = (parts: RefusalRowsParts): RefusalRows => {
  const { recorder, clock, log, windowMs = minute } = parts
  const { mostOfKey = usualMostOfKey, mostOfAddress = usualMostOfAddress } = parts
  const rows = new Map<string, number>()
  let counted = new Map<string, Counted>()

  const hasRoom = (name: string, most: number): boolean => {
    const written = rows.get(name) ?? 0
    return written < most && (written > 0 || rows.size < mostNames)
  }

  const writeCounted = async (): Promise<void> => {
    const summaries = [...counted.values()]
    rows.clear()
    counted = new Map()
    try {
      await Promise.all(summaries.map((summary) => recorder.fail(summaryOf(summary, clock()))))
    } catch (error) {
      log('refused_calls_not_recorded', { rows: summaries.length, error })
    }
  }

  const timer = setInterval(() => void writeCounted(), windowMs)
  timer.unref()

  return {
    admit(facts, failure) {
      const { userId, tokenId } = facts.caller
      const key = `key ${userId} ${tokenId}`
      const address = `address ${facts.ip}`
      const isOfKey = !hasRoom(key, mostOfKey)
      if (!isOfKey && hasRoom(address, mostOfAddress)) {
        rows.set(key, (rows.get(key) ?? 0) + 1)
        rows.set(address, (rows.get(address) ?? 0) + 1)
        return true
      }
      // Many keys of one user at one address are one row.
      const name = isOfKey && rows.has(key) ? key : `user ${userId}`
      const summary = counted.get(name)
      if (summary === undefined) counted.set(name, { facts, failure, times: 1 })
      else Object.assign(summary, { facts, failure, times: summary.times + 1 })
      return false
    },
    async close() {
      clearInterval(timer)
      await writeCounted()
    },
  }
}
