import type { LinePlace } from '#server/relay/batches/lines/batch-lines.ts'
import { type Holding, openHolding } from '#server/relay/provider-jobs/holding.ts'
import type { LineOutcome } from '../forms/batch-form.ts'
import { inputStart } from '../input/input-lines.ts'
import { noTokens } from '../run/answer-tokens.ts'
import { type AskParts, askProvider } from './ask-provider.ts'
import { lostAtProvider, openEndings, withoutResult } from './endings.ts'
import { kindNamed } from './kinds/index.ts'
import type { ProviderKind, ProviderLook } from './kinds/provider-kind.ts'
import { prepareLines } from './prepare-lines.ts'
import type { ProviderBatch } from './provider-batch-store.ts'
import { ResultsUnread } from './result-lines.ts'
import { openRunSteps, type ProviderRunParts, paceFor, type RunningBatch } from './run-steps.ts'
import { openSubmissions } from './submissions.ts'

/** Seconds between looks at a batch that was asked to end. */
const endingPace = 10
/** Times that a provider may say that it does not know a batch. */
const mostMisses = 5
/** Seconds after its window in which a batch that cannot be read is asked for. */
const longestWait = 7 * 86_400

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
  const { now, later, toOwnRunner, refused, placeOf } = steps
  const end = openEndings(parts, asking, steps)
  const submissions = openSubmissions(parts, asking, { steps, end })

  const unread = async (running: RunningBatch, row: ProviderBatch, cause: string): Promise<void> => {
    const { batch } = running
    log('provider_batch_not_read', { batch: batch.object_id, channel: row.channel_id, cause })
    if (now() > batch.expires_time + longestWait) return end(running, row, { results: [], rest: lostAtProvider })
    return later(running, paceFor(now() - row.created_time))
  }

  const askToEnd = async (row: ProviderBatch, place: LinePlace, kind: ProviderKind): Promise<void> => {
    const answer = await askProvider(place, kind.cancel(row.upstream_id), asking)
    // A refusal says that it has ended already.
    if (answer.kind === 'answered' && answer.status < 500) await store.change(Number(row.id), { cancel_time: now() })
  }

  const settle = async (
    running: RunningBatch,
    row: ProviderBatch,
    kind: ProviderKind,
    look: Extract<ProviderLook, { state: 'ended' }>,
  ): Promise<void> => {
    const { results, inside } = look
    const own = inside !== undefined && results.length === 0 ? [kind.look(row.upstream_id).path] : results
    const sources = own.map((path) => ({ kind, path, inside }))
    const { batch } = running
    const isExpired = batch.expires_time <= now()
    const rest: LineOutcome =
      batch.cancelling_time > 0 ? { kind: 'cancelled' } : isExpired ? { kind: 'expired' } : withoutResult
    try {
      await end(running, row, { results: sources, rest })
    } catch (error) {
      if (!(error instanceof ResultsUnread)) throw error
      await unread(running, row, error.message)
    }
  }

  const follow = async (running: RunningBatch, row: ProviderBatch): Promise<void> => {
    const kind = kindNamed(row.provider)
    const place = placeOf(row)
    if (kind === undefined || place === undefined) return unread(running, row, 'its channel is gone')
    const { batch } = running
    const isToEnd = batch.cancelling_time > 0 || batch.expires_time <= now()
    if (isToEnd && row.cancel_time === 0) await askToEnd(row, place, kind)
    const answer = await askProvider(place, kind.look(row.upstream_id), asking)
    if (answer.kind === 'silent') return unread(running, row, answer.cause)
    if (answer.status === 404 && row.misses + 1 >= mostMisses)
      return end(running, row, { results: [], rest: lostAtProvider })
    const misses = answer.status === 404 ? row.misses + 1 : 0
    if (misses !== row.misses) await store.change(Number(row.id), { misses })
    if (!isSuccess(answer.status)) return unread(running, row, `status ${answer.status}: ${answer.text}`)
    const look = kind.readLook(answer.json)
    if (look.state === 'refused') return refused(running, row, look.reason)
    if (look.state === 'ended') return settle(running, row, kind, look)
    return later(running, isToEnd ? endingPace : paceFor(now() - row.created_time))
  }

  const begin = async (running: RunningBatch): Promise<void> => {
    const { batch, form, mode, input, write } = running
    const prepared = await prepareLines({
      batch,
      form,
      calls,
      input,
      channelIds: parts.channelIds,
      longestLine: parts.longestLine,
      goesOn: () => mode.current === 'run',
      random: Math.random,
      done: await parts.chunks.doneLines(Number(batch.id), inputStart.line),
    })
    if (mode.current === 'left') return
    if ('why' in prepared) return toOwnRunner(running, prepared.why)
    const { refused: lines } = prepared
    if (lines.length > 0)
      await write(
        { results: lines, succeeded: 0, failed: lines.length, skipped: 0, tokens: noTokens, next: inputStart },
        batch.chunks,
      )
    if (mode.current === 'run') await submissions.submit(running, prepared)
  }

  return {
    async go(running) {
      const { batch, mode } = running
      const row = await store.of(Number(batch.id))
      if (row?.is_open === 1) await (row.stage === 'submitting' ? submissions.findSubmission : follow)(running, row)
      else if (batch.runner === 'provider' || mode.current !== 'run') await toOwnRunner(running, 'it was not submitted')
      else await begin(running)
    },
    holding: openHolding({ store: store.holds, held, holds, clock }),
  }
}
