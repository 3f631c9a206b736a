import type { LinePlace } from '#server/relay/batches/lines/batch-lines.ts'
import { type Holding, openHolding } from '#server/relay/provider-jobs/holding.ts'
import type { LineOutcome } from '../forms/batch-form.ts'
import { inputStart } from '../input/input-lines.ts'
import { noTokens } from '../run/answer-tokens.ts'
import { type AskParts, askProvider } from './ask-provider.ts'
import { lostAtProvider, openEndings, withoutResult } from './endings.ts'
import { readPrices } from './frozen-prices.ts'
import { kindNamed } from './kinds/index.ts'
import type { ProviderKind, ProviderLook } from './kinds/provider-kind.ts'
import { prepareLines } from './prepare-lines.ts'
import type { ProviderBatch } from './provider-batch-store.ts'
import { providerLane } from './provider-lane.ts'
import { ResultsUnread, sourcesOf } from './result-lines.ts'
import { isLeft, openRunSteps, type ProviderRunParts, paceFor, type RunningBatch } from './run-steps.ts'
import { LineUnsettled } from './settle-lines.ts'
import { openSubmissions } from './submissions.ts'

/** Seconds between looks at a batch that was asked to end. */
const endingPace = 10
/** Times that a provider may say that it does not know a batch. */
const mostMisses = 5
/** Seconds after its window in which a batch that cannot be read is asked for. */
const longestWait = 7 * 86_400

const cancelled: LineOutcome = { kind: 'cancelled' }
const expired: LineOutcome = { kind: 'expired' }

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** Batches whose lines a provider makes: submitted once, followed to their end, settled line by line. */
export interface ProviderRuns {
  /** Does the next step of a batch: afterwards its lines are left to the own runner, it waits for its provider, or it is done. */
  go(running: RunningBatch): Promise<void>
  readonly holding: Holding
}

export const openProviderRuns = (parts: ProviderRunParts): ProviderRuns => {
  const { store, calls, jobs, clock, log } = parts
  const { held, holds } = jobs
  const asking: AskParts = { upstream: jobs.upstream, headersFor: calls.headersFor }
  const steps = openRunSteps(parts)
  const { now, close, later, toOwnRunner, refused, placeOf } = steps
  const end = openEndings(parts, asking, steps)
  const submissions = openSubmissions(parts, asking, steps)

  const modelsOf = ({ prices }: ProviderBatch): string[] => [...readPrices(prices).keys()]

  /** True where the client has asked for the end, or the window is over. */
  const isToEnd = ({ batch }: RunningBatch): boolean => batch.cancelling_time > 0 || batch.expires_time <= now()

  /** Moments that a deadline leaves to the provider; undefined without one, and where the batch ends anyway. */
  const dueOf = (running: RunningBatch, row: ProviderBatch) =>
    isToEnd(running) ? undefined : running.lane?.dueAt(modelsOf(row))

  /** Its lines are made without the provider's end. What that has done, or does yet, is neither delivered nor charged. */
  const giveUp = async (running: RunningBatch, row: ProviderBatch): Promise<void> => {
    if (isLeft(running)) return
    const { batch, lane, change } = running
    log('provider_batch_given_up', { batch: batch.object_id, channel: row.channel_id, upstream: row.upstream_id })
    lane?.ended(modelsOf(row), Number.POSITIVE_INFINITY)
    await close(row)
    await change({ runner: 'own' })
  }

  const isOverdue = (running: RunningBatch, row: ProviderBatch): boolean =>
    now() >= (dueOf(running, row)?.latestAt ?? Number.POSITIVE_INFINITY)

  /** Waits for the provider so many seconds, but no longer than the deadline allows. */
  const wait = async (running: RunningBatch, row: ProviderBatch, seconds: number): Promise<void> => {
    const due = dueOf(running, row)
    if (due === undefined) return later(running, seconds)
    if (now() >= due.latestAt) return giveUp(running, row)
    const next = now() < due.giveUpAt ? due.giveUpAt : due.latestAt
    return later(running, Math.max(1, Math.min(seconds, next - now())))
  }

  const unread = async (running: RunningBatch, row: ProviderBatch, cause: string): Promise<void> => {
    const { batch } = running
    log('provider_batch_not_read', { batch: batch.object_id, channel: row.channel_id, cause })
    if (now() > batch.expires_time + longestWait) return end(running, row, { results: [], rest: lostAtProvider })
    return wait(running, row, paceFor(now() - row.created_time))
  }

  /** Answers the row as it is after that. */
  const askToEnd = async (row: ProviderBatch, place: LinePlace, kind: ProviderKind): Promise<ProviderBatch> => {
    if (kind.cancel === undefined) return row
    const answer = await askProvider(place, kind.cancel(row.upstream_id), asking)
    if (answer.kind !== 'answered' || answer.status >= 500) return row
    const cancel_time = now()
    await store.change(Number(row.id), { cancel_time })
    // A refusal says that it has ended already, and not because it was asked to.
    return isSuccess(answer.status) ? { ...row, cancel_time } : row
  }

  const settle = async (
    running: RunningBatch,
    row: ProviderBatch,
    kind: ProviderKind,
    look: Extract<ProviderLook, { state: 'ended' }>,
  ): Promise<void> => {
    const sources = sourcesOf(kind, row.upstream_id, look)
    const { batch, lane } = running
    const isExpired = batch.expires_time <= now()
    const usual: LineOutcome | undefined = lane === undefined ? withoutResult : undefined
    const rest = batch.cancelling_time > 0 ? cancelled : isExpired ? expired : usual
    if (!isToEnd(running)) {
      const ms = row.cancel_time > 0 ? Number.POSITIVE_INFINITY : 1000 * (now() - row.created_time)
      lane?.ended(modelsOf(row), ms)
    }
    try {
      await end(running, row, { results: sources, rest })
    } catch (error) {
      if (error instanceof LineUnsettled && isOverdue(running, row)) return giveUp(running, row)
      if (!(error instanceof ResultsUnread)) throw error
      await unread(running, row, error.message)
    }
  }

  const follow = async (running: RunningBatch, found: ProviderBatch): Promise<void> => {
    const kind = kindNamed(found.provider)
    const place = placeOf(found)
    if (kind === undefined || place === undefined) return unread(running, found, 'its channel is gone')
    const due = dueOf(running, found)
    const isEnding = due === undefined ? isToEnd(running) : now() >= due.giveUpAt
    const row = isEnding && found.cancel_time === 0 ? await askToEnd(found, place, kind) : found
    const answer = await askProvider(place, kind.look(row.upstream_id), asking)
    if (answer.kind === 'silent') return unread(running, row, answer.cause)
    if (answer.status === 404 && row.misses + 1 >= mostMisses) return giveUp(running, row)
    const misses = answer.status === 404 ? row.misses + 1 : 0
    if (misses !== row.misses) await store.change(Number(row.id), { misses })
    if (!isSuccess(answer.status)) return unread(running, row, `status ${answer.status}: ${answer.text}`)
    const look = kind.readLook(answer.json)
    if (look.state === 'refused') return refused(running, row, look.reason)
    if (look.state === 'ended') return settle(running, row, kind, look)
    return wait(running, row, isEnding && kind.cancel !== undefined ? endingPace : paceFor(now() - row.created_time))
  }

  const begin = async (running: RunningBatch): Promise<void> => {
    const { batch, form, mode, input, write, lane } = running
    const prepared = await prepareLines({
      batch,
      form,
      calls,
      input,
      channelIds: parts.channelIds,
      longestLine: parts.longestLine,
      lane: lane?.chosen,
      mayPart: lane === undefined,
      goesOn: () => mode.current === 'run',
      random: Math.random,
      done: await parts.chunks.doneLines(Number(batch.id), inputStart.line),
    })
    if (mode.current === 'left') return
    if ('why' in prepared) return toOwnRunner(running, prepared.why)
    if (lane?.isBest([...prepared.prices.keys()]) === false) return running.change({ runner: 'own' })
    const { refused: lines } = prepared
    if (lines.length > 0)
      await write(
        { results: lines, succeeded: 0, failed: lines.length, skipped: 0, tokens: noTokens, next: inputStart },
        batch.chunks,
      )
    if (mode.current === 'run') await submissions.submit(running, prepared)
  }

  return {
    async go(found) {
      const { batch, mode } = found
      const running = { ...found, lane: providerLane(batch, parts) }
      const row = await store.of(Number(batch.id))
      const isSubmitting = row?.stage === 'submitting'
      if (row?.is_open === 1 && isSubmitting && isOverdue(running, row)) await giveUp(running, row)
      else if (row?.is_open === 1) await (isSubmitting ? submissions.findSubmission : follow)(running, row)
      else if (batch.runner === 'provider' || mode.current !== 'run') await toOwnRunner(running, 'it was not submitted')
      else await begin(running)
    },
    holding: openHolding({ store: store.holds, held, holds, clock }),
  }
}
