import { AppError } from '../../lib/app-error.ts'
import type { Client } from '../call.ts'
import type { RelayChannel } from '../ports.ts'
import type { AttemptLog } from '../records/attempt-log.ts'
import type { SentSide } from '../routing/channel-attempt.ts'
import type { HedgePlan, Rival } from '../routing/hedging/hedge-plan.ts'
import { type RaceEnd, race, type Start } from '../routing/hedging/race.ts'
import type { AttemptParts } from './attempt-request.ts'
import type { Exchange, Outcome } from './exchange.ts'
import { cancellableAttempt } from './transport.ts'

/** One of two channels that are asked concurrently. */
export interface HedgedSide {
  readonly channel: RelayChannel
  readonly key: string
  readonly exchange: Exchange
  /** Fields of the attempt log while this side counts. */
  readonly logged: Pick<
    AttemptLog,
    'channelId' | 'channel' | 'key' | 'upstreamModel' | 'effort' | 'unsupported' | 'session'
  >
}

/** The attempt, as the two sides need it. */
export interface HedgedAttempt {
  readonly client: Client
  readonly log: AttemptLog
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Makes a channel ready. Throws AppError if it cannot take the call. */
  sideOf(channel: RelayChannel, key: string, session: AttemptLog['session']): HedgedSide
  /** Makes this side the one that counts. */
  use(side: HedgedSide): void
  partsOf(side: HedgedSide, client: Client, speaks: () => void): AttemptParts
  retryStatusOf(outcome: Outcome): number | undefined
}

interface Second {
  readonly side: HedgedSide
  readonly rival: Rival
  readonly startedAt: number
}

/** The second side, prepared; undefined where it is not to be asked. */
const secondSide = (attempt: HedgedAttempt, first: HedgedSide, plan: HedgePlan): Second | undefined => {
  const rival = plan.rival()
  if (rival === undefined) return undefined
  try {
    const side = attempt.sideOf(rival.channel, rival.key, rival.session)
    if (plan.accepts(side.exchange.unsupported)) {
      plan.asked(rival.channel)
      return { side, rival, startedAt: attempt.clock() }
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  } finally {
    attempt.use(first)
  }
  rival.share.settle(0)
  return undefined
}

/**
 * Asks one channel and, if it has sent nothing after `plan.afterMs`, a second one concurrently. Notes in the log which one answered;
 * returns the sides in the order in which they were asked.
 */
export const sendHedged = async (
  attempt: HedgedAttempt,
  first: HedgedSide,
  plan: HedgePlan,
): Promise<readonly SentSide<Outcome>[]> => {
  const { client, log, clock } = attempt
  const startedAt = clock()
  const endedAt = { first: startedAt, second: startedAt }
  let second: Second | undefined
  const start =
    (side: HedgedSide): Start<Outcome> =>
    (to, speaks) =>
      cancellableAttempt(attempt.partsOf(side, to, speaks))
  const end = await race<Outcome>({
    client,
    afterMs: plan.afterMs,
    first: start(first),
    second: () => {
      second = secondSide(attempt, first, plan)
      return second && start(second.side)
    },
    kindOf: ({ kind }) => (kind === 'client_gone' ? 'gone' : kind),
    isFinal: (outcome) => plan.isFinal(attempt.retryStatusOf(outcome)),
    answers: (side, other) => {
      attempt.use(side === 'second' && second !== undefined ? second.side : first)
      // After a crash, a stream is settled by the log as of now.
      if (second !== undefined)
        log.hedge = hedgeOf({ side, answered: true, isCutOff: other === undefined, wasSent: true }, first, second, plan)
    },
    ended: (side) => {
      endedAt[side] = clock()
    },
  })
  const { channel, key } = first
  if (second === undefined || end.second === undefined)
    return [{ channel, key, startedAt, endedAt: endedAt.first, outcome: end.first, counts: true }]
  attempt.use(end.side === 'second' ? second.side : first)
  log.hedge = hedgeOf(decisionOf(end), first, second, plan)
  if (log.hedge.cutOff === undefined) second.rival.share.settle(0)
  const isFirst = end.side === 'first'
  const other = isFirst ? end.second : end.first
  const sideOf = (counts: boolean) => ({
    counts,
    cancelled: !counts && end.isDecided && other.kind === 'client_gone',
  })
  return [
    { channel, key, startedAt, endedAt: endedAt.first, outcome: end.first, hedge: 'first', ...sideOf(isFirst) },
    {
      channel: second.side.channel,
      key: second.side.key,
      startedAt: second.startedAt,
      endedAt: endedAt.second,
      outcome: end.second,
      hedge: 'second',
      ...sideOf(!isFirst),
    },
  ]
}

/** The side that counts, and the state of both. */
interface Decision {
  readonly side: 'first' | 'second'
  readonly answered: boolean
  /** True if the other side was aborted after it was sent; a refused or unsent request is free. */
  readonly isCutOff: boolean
  /** True if the other request may have reached its provider. */
  readonly wasSent: boolean
}

const decisionOf = ({ side, first, second }: RaceEnd<Outcome>): Decision => {
  const [taken, other] = side === 'first' ? [first, second] : [second, first]
  const wasSent = other?.kind !== 'client_gone' || other.sent
  return { side, answered: taken?.kind === 'answered', isCutOff: other?.kind === 'client_gone' && wasSent, wasSent }
}

const hedgeOf = (
  { side, answered, isCutOff, wasSent }: Decision,
  first: HedgedSide,
  second: Second,
  { afterMs }: HedgePlan,
): NonNullable<AttemptLog['hedge']> => {
  const { channel, logged } = side === 'first' ? second.side : first
  const { share, expected } = second.rival
  return {
    afterMs,
    first: first.channel,
    second: second.side.channel,
    won: answered ? side : '',
    wasSent,
    cutOff: isCutOff ? { channel, upstreamModel: logged.upstreamModel } : undefined,
    share,
    expected,
  }
}
