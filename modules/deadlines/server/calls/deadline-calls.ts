import { isObject } from '#server/dialects/conversation/json.ts'
import type { DeadlineCalls, TimedWork } from '#server/gateway/deadlines/deadline-calls.ts'
import { AppError } from '#server/lib/app-error.ts'
import { editMembers } from '#server/lib/json/json-edit.ts'
import type { RelayCall } from '#server/relay/call.ts'
import type { Prices } from '#server/relay/ports.ts'
import { chooseLane, latestStart, leastWindow } from '../decision/choose-lane.ts'
import { priceAt } from '../decision/lane-prices.ts'
import { askedAgainAt, batchEndingMs, situationOf } from '../decision/situation.ts'
import { mayFlex } from './flex-request.ts'
import { openSeenTimes } from './seen-times.ts'
import { metadataWithout, statedDeadline } from './stated-deadline.ts'
import { createTimedLane } from './timed-lane.ts'

export interface DeadlineParts {
  readonly prices: Prices
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** The call without the deadline in its metadata: Anthropic refuses members of it that it does not know. */
const withoutDeadline = (call: RelayCall): RelayCall => {
  const { metadata, ...rest } = call.body
  if (!isObject(metadata) || metadata.deadline === undefined) return call
  const left = metadataWithout(metadata)
  const raw = editMembers(call.raw, { metadata: left && JSON.stringify(left) })
  return { ...call, raw, text: undefined, body: left === undefined ? rest : { ...rest, metadata: left } }
}

/** Reads deadlines and chooses lanes; what it learns of their times stays in this process. */
export const createDeadlineCalls = ({ prices, clock }: DeadlineParts): DeadlineCalls => {
  const timesOf = openSeenTimes()

  const leastOf = (model: string): number => leastWindow(timesOf(model).standard.slowestMs)

  /** The choice among the lanes that work has. */
  const chosenLane = (work: TimedWork, now: number, lanes: readonly ('flex' | 'off_peak' | 'batch')[]) => {
    const { model, arrivedAt, deadline, queue } = work
    const times = timesOf(model)
    const { slowestMs, usualMs } = times.standard
    const queueMs = queue === undefined ? 0 : Math.max(0, Math.ceil(queue.lines / queue.atOnce) - 1) * usualMs
    const last = latestStart({ arrivedAt, deadline, slowestMs, queueMs })
    const standard = priceAt(prices, work, arrivedAt)
    if (standard === undefined) return { lane: 'standard' as const, startAt: now, last }
    const open = new Map(lanes.map((lane) => [lane, now] as const))
    const { lane, startAt } = chooseLane(situationOf({ ...work, standard, open, queueMs }, now, times, prices))
    return { lane, startAt, last }
  }

  return {
    deadlineOf: statedDeadline,

    assertStated(call) {
      if (call === undefined) throw new AppError('deadline_impossible')
      const { headers, body, model, at, lane } = call
      if (lane !== undefined) return
      const deadline = statedDeadline(headers, body, at)
      if (deadline === undefined) throw new AppError('deadline_missing')
      const least = leastOf(model)
      if (deadline - at < least)
        throw new AppError('deadline_too_soon', { params: { minutes: Math.ceil(least / 60_000) } })
    },

    timed(call, headers, chosen) {
      const now = clock()
      const deadline = chosen?.deadline ?? statedDeadline(headers, call.body, now)
      if (deadline === undefined) return call
      const { group, acceptsUnpricedModels: acceptsUnpriced } = call.caller
      const arrivedAt = chosen?.arrivedAt ?? now
      const work = { model: call.model, group, acceptsUnpriced, arrivedAt, deadline, mayFlex: mayFlex(call) }
      const { lane, last } = chosenLane(work, now, work.mayFlex ? ['flex'] : [])
      const isFlex = chosen === undefined ? lane === 'flex' : chosen.lane === 'flex' && work.mayFlex
      const facts = {
        deadline,
        flexUntil: isFlex ? (chosen?.latestAt ?? last) : undefined,
        endsRefused: chosen !== undefined,
        leavesTime: deadline - arrivedAt >= leastOf(call.model),
        isBatched: chosen?.lane === 'batch',
        arrivalPrice: chosen === undefined ? undefined : priceAt(prices, work, arrivedAt),
        times: timesOf(call.model),
        clock,
      }
      return { ...withoutDeadline(call), lane: createTimedLane(facts) }
    },

    next(work, now) {
      const lanes = [
        'off_peak' as const,
        ...(work.mayFlex ? ['flex' as const] : []),
        ...(work.mayBatch === true ? ['batch' as const] : []),
      ]
      const { lane, startAt, last } = chosenLane(work, now, lanes)
      return {
        lane: lane === 'off_peak' ? 'standard' : lane,
        startAt,
        latestAt: last,
        ...(work.mayBatch === true && { giveUpAt: last - batchEndingMs }),
      }
    },

    batchEnded: (model, ms) => timesOf(model).batch.note(ms),

    askedAgainAt,
  }
}
