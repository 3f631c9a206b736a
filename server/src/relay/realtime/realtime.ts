import { cost, receiptOf } from '../../billing/cost.ts'
import type { Price } from '../../billing/price.ts'
import { reservation } from '../../billing/reserve.ts'
import { withToolsOf } from '../../billing/tool-prices.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'
import { AppError } from '../../lib/app-error.ts'
import type { RelayCall } from '../call.ts'
import { priceFor } from '../exchange/unpriced.ts'
import { type CallFailure, failureOf } from '../failure.ts'
import { grantedHold, refusedHold } from '../holds/granted-hold.ts'
import type { RelayOptions } from '../ports.ts'
import { type AttemptLog, beginOf, chargeRecord, createAttemptLog } from '../record.ts'
import { recordFailure } from '../record-failure.ts'
import { routedModel } from '../routing/plan.ts'
import { usageLimits } from '../usage/limits.ts'
import { type Connected, connect } from './connect.ts'
import { Meter } from './meter.ts'
import type { ClientSocket, MayGoOn, Realtime, RealtimeClient, RealtimeParts, ToldFailure } from './ports.ts'
import { Pulse } from './pulse.ts'
import { type Ending, Session } from './session.ts'
import { Tab } from './tab.ts'

/** How often a session's use is written down, and its reservation and its key are looked at. */
const progressEveryMs = 1000
/** A client that takes nothing for so long is gone, though its connection stands. */
const mostStalledMs = 60_000

interface Story {
  readonly call: RelayCall
  readonly mayGoOn: MayGoOn
  readonly options: RelayOptions
  readonly price: Price
  readonly attemptLog: AttemptLog
  readonly tab: Tab
}

const asOurs = (error: unknown): AppError =>
  error instanceof AppError ? error : new AppError('internal_error', { cause: error })

/** A price per call is due when there was an answer. */
const billable = (usage: Usage, meter: Meter, { perCall }: Price): Usage =>
  perCall !== undefined && !meter.answered ? noUsage : usage

export const createRealtime = (parts: RealtimeParts): Realtime => {
  const sessions = new Set<Session>()
  let leaving = false

  const openTab = async (call: RelayCall, price: Price, options: RelayOptions): Promise<Tab> => {
    const { preConsumedTokens, amounts, overdraft } = options
    const request = {
      userId: call.caller.userId,
      tokenId: call.caller.tokenId,
      tokenUnlimited: call.caller.tokenUnlimited,
      amount: reservation({ promptTokens: 0, outputTokens: 0, leastTokens: preConsumedTokens }, price),
      spare: -overdraft,
    }
    const hold = grantedHold(await parts.holds.hold(request), amounts, call.caller.keyHint)
    return new Tab({ holds: parts.holds, request, hold })
  }

  /** Carries the frames until it is over. */
  const carry = (
    { call, mayGoOn, options, price, attemptLog, tab }: Story,
    { channel, key, startedAt, socket, attach }: Connected,
    client: RealtimeClient,
    meter: Meter,
  ): Promise<{ ending: Ending; client: ClientSocket }> =>
    new Promise((resolve) => {
      let begun = false
      let covering = false
      const cover = async (usage: Usage): Promise<void> => {
        if (covering) return
        covering = true
        try {
          const refused = await tab.cover(cost(usage, price))
          if (refused !== undefined) session.stop(refusedHold(refused, options.amounts), 1008, 'out_of_quota')
        } catch (error) {
          session.stop(asOurs(error), 1011)
        }
        covering = false
      }
      const judge = async (): Promise<void> => {
        try {
          await mayGoOn()
        } catch (error) {
          session.stop(asOurs(error), 1008)
        }
      }
      const pulse = new Pulse(progressEveryMs, () => {
        const usage = billable(meter.soFar, meter, price)
        if (!begun) parts.recorder.begin(beginOf(call, attemptLog, price, call.startedAt))
        begun = true
        parts.recorder.progress(call.id, usage)
        void cover(usage)
        void judge()
      })
      const first = (): void => {
        const tookMs = parts.clock() - startedAt
        attemptLog.firstByteMs = Math.max(0, parts.clock() - call.startedAt)
        parts.channels.report(channel, undefined, key, routedModel(call.model), tookMs, tookMs)
      }
      const session = new Session({
        upstream: socket,
        meter,
        key,
        times: { idle: parts.limits.timeouts.streamIdle, stalled: mostStalledMs },
        onClientGone: options.onClientGone,
        progressed({ done }) {
          pulse.touch()
          if (done) void cover(billable(meter.soFar, meter, price))
        },
        over(ending) {
          pulse.stop()
          sessions.delete(session)
          const { fault } = ending
          if (attemptLog.firstByteMs === undefined || fault !== undefined) {
            parts.channels.report(channel, fault, key, routedModel(call.model), parts.clock() - startedAt, -1)
          }
          resolve({ ending, client: accepted })
        },
      })
      const accepted = client.accept(session)
      session.begin(accepted)
      sessions.add(session)
      attach({
        onMessage(message) {
          if (attemptLog.firstByteMs === undefined) first()
          session.told(message)
        },
        onClose: (code, reason) => session.left(code, reason),
        onError: (error) => session.broke(error),
      })
      if (leaving) session.leave('soon')
    })

  /** The record of a session, and then its end. */
  const settle = async (
    { call, price, attemptLog, tab }: Story,
    { end, failure }: Ending,
    meter: Meter,
  ): Promise<void> => {
    const { usage: used, estimated } = await meter.total(attemptLog.upstreamModel, parts.counter)
    const usage = billable(used, meter, price)
    const receipt = receiptOf(usage, price, { estimated })
    const charged = { usage, receipt, price, end, cause: failure?.cause, blockedWord: undefined, ws: true as const }
    await parts.recorder.end(chargeRecord(call, attemptLog, charged, parts.clock()), tab.first)
    try {
      parts.channels.charged?.(attemptLog.channelId, routedModel(call.model), receipt.quota)
    } catch (error) {
      // The charge stands: the session must not be recorded again as a failed one.
      parts.log('charge_listener_failed', { request_id: call.id, error })
    }
  }

  const failed = async (call: RelayCall, attemptLog: AttemptLog, error: unknown): Promise<CallFailure> => {
    const ours = asOurs(error)
    if (error !== ours) parts.log('realtime_session_failed', { request_id: call.id, error })
    const failure = failureOf(ours)
    await recordFailure(call, failure, attemptLog, parts)
    return failure
  }

  const held = async (begun: Story, client: RealtimeClient, told: ToldFailure): Promise<CallFailure | undefined> => {
    const { call, options, attemptLog, tab } = begun
    try {
      const connected = await connect(call, client, options, attemptLog, parts)
      if (connected.kind === 'failed' || client.gone) {
        if (connected.kind === 'connected') connected.socket.close(1000)
        const gone = failureOf(new AppError('client_gone'))
        const failure = connected.kind === 'failed' ? connected.failure : gone
        await recordFailure(call, failure, attemptLog, parts)
        return failure
      }
      const meter = new Meter(usageLimits(call, attemptLog.upstreamModel))
      const story = { ...begun, price: withToolsOf(begun.price, attemptLog.upstreamModel) }
      const { ending, client: accepted } = await carry(story, connected, client, meter).catch((error) => {
        connected.socket.close(1000)
        throw error
      })
      const { failure, close } = ending
      // Printed before the charge, so that nothing fails the session after it.
      const last = failure && told(failure)
      const fatal = await settle(story, ending, meter).then(
        () => undefined,
        (error) => failed(call, attemptLog, error),
      )
      try {
        if (fatal === undefined) accepted.close(close.code, close.reason, last)
        else accepted.close(1011, close.reason, told(fatal))
      } catch (error) {
        parts.log('recorded_session_not_closed', { request_id: call.id, error })
        accepted.abandon()
      }
      return undefined
    } finally {
      tab.release()
    }
  }

  return {
    async answer(call, client, { told, mayGoOn }) {
      const attemptLog = createAttemptLog()
      try {
        const options = parts.options()
        if (leaving) throw new AppError('shutting_down')
        if (!parts.ready()) throw new AppError('recording_failed')
        const price = priceFor(parts.prices, call)
        const tab = await openTab(call, price, options)
        return await held({ call, mayGoOn, options, price, attemptLog, tab }, client, told)
      } catch (error) {
        return failed(call, attemptLog, error)
      }
    },
    leave(how) {
      leaving = true
      for (const session of [...sessions]) session.leave(how)
    },
  }
}
