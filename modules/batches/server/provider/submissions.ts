import { setTimeout as sleep } from 'node:timers/promises'
import type { LinePlace } from '#server/relay/batches/lines/batch-lines.ts'
import { ownerOf } from '#server/relay/provider-jobs/job-owner.ts'
import type { Batch } from '../forms/batch-form.ts'
import { type AskParts, askProvider } from './ask-provider.ts'
import { type EndBatch, unknownSubmission } from './endings.ts'
import { printPrices } from './frozen-prices.ts'
import { kindNamed } from './kinds/index.ts'
import type { NewProviderBatch, ProviderKind } from './kinds/provider-kind.ts'
import type { PreparedBatch } from './prepare-lines.ts'
import type { ProviderBatch } from './provider-batch-store.ts'
import { isLeft, type ProviderRunParts, paceFor, type RunningBatch, type RunSteps } from './run-steps.ts'

const submissionPace = 60
/** Seconds after which a provider lists what it has begun. */
const listedAfter = 120
/** Seconds after which a submission that cannot be searched for is given up. */
const longestSearch = 7 * 86_400
/** Times that an id is written until the database takes it, once a second: until then only this process knows it. */
const mostWrites = 100

/** The name of a part of a batch at its provider. */
const markOf = ({ object_id: id }: Pick<Batch, 'object_id'>, firstLine: number): string =>
  firstLine <= 1 ? id : `${id}-${firstLine}`

const isSuccess = (status: number): boolean => status >= 200 && status < 300
/** The provider has read the request and does not do it. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408

/** Submits batches to their providers, each once. */
export const openSubmissions = (
  { store, jobs, clock, log }: ProviderRunParts,
  asking: AskParts,
  { steps, end }: { readonly steps: RunSteps; readonly end: EndBatch },
) => {
  const { held, holds, keyHashOf } = jobs
  const { now, later, toOwnRunner, refused, placeOf } = steps

  const persist = async (id: number, upstreamId: string): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await store.change(id, { stage: 'submitted', upstream_id: upstreamId })
      } catch (error) {
        if (attempt === mostWrites) throw error
        await sleep(1_000)
      }
    }
  }

  const submit = async (running: RunningBatch, prepared: PreparedBatch): Promise<void> => {
    const { batch } = running
    const { place, kind, path, model, lines, caller, most, firstLine, lastLine } = prepared
    const asked = { mark: markOf(batch, firstLine), path, model, lines }
    const upload = kind.upload?.(asked)
    let file = ''
    if (upload !== undefined) {
      const answer = await askProvider(place, upload, asking)
      const id = answer.kind === 'answered' && isSuccess(answer.status) ? kind.idIn(answer.json) : undefined
      if (id === undefined) {
        const cause = answer.kind === 'answered' ? `status ${answer.status}: ${answer.text}` : answer.cause
        return toOwnRunner(running, `its lines were not uploaded: ${cause}`)
      }
      file = id
    }
    const { userId, tokenId, tokenUnlimited, caps } = caller
    const payer = { userId, tokenId, tokenUnlimited, ...(caps && { caps }) }
    const answer = await holds.hold({ ...payer, amount: most })
    if (answer.kind === 'refused') return toOwnRunner(running, 'its lines cost more together than is left')
    let row: ProviderBatch | undefined
    try {
      await running.change({ runner: 'provider' })
      if (isLeft(running)) return
      row = await store.add({
        batch_id: Number(batch.id),
        user_id: batch.user_id,
        token_id: batch.token_id,
        project_id: batch.project_id,
        member_id: batch.member_id,
        owner: JSON.stringify(ownerOf(caller, { ip: batch.ip, path: batch.endpoint || path })),
        provider: kind.name,
        channel_id: place.channel.id,
        key_hash: keyHashOf(place.key),
        prices: printPrices(prepared.prices),
        held: most,
        first_line: firstLine,
        last_line: lastLine,
      })
      held.keep(Number(row.id), { hold: answer.hold, at: clock() })
    } finally {
      if (row === undefined) answer.hold.release()
    }
    await create(running, { row, place, kind }, { ...asked, file })
  }

  /** Makes the batch at its provider, once. */
  const create = async (
    running: RunningBatch,
    { row, place, kind }: { readonly row: ProviderBatch; readonly place: LinePlace; readonly kind: ProviderKind },
    batch: NewProviderBatch,
  ): Promise<void> => {
    const answer = await askProvider(place, kind.create(batch), asking)
    if (answer.kind === 'answered' && isSuccess(answer.status)) {
      const id = kind.idIn(answer.json)
      if (id !== undefined) return submitted(running, row, id)
    }
    if (answer.kind === 'answered' && isRefusal(answer.status))
      return refused(running, row, `status ${answer.status}: ${answer.text}`)
    if (answer.kind === 'silent' && !answer.sent) return refused(running, row, answer.cause)
    return later(running, submissionPace)
  }

  const submitted = async (running: RunningBatch, row: ProviderBatch, id: string): Promise<void> => {
    await persist(Number(row.id), id)
    await later(running, paceFor(0))
  }

  /** A batch whose process ended, or got no answer, while it was submitted: it is searched for, and never submitted again. */
  const findSubmission = async (running: RunningBatch, row: ProviderBatch): Promise<void> => {
    const kind = kindNamed(row.provider)
    const place = placeOf(row)
    const { batch } = running
    const recent = kind?.recent?.()
    const waited = now() - row.created_time
    if (waited < listedAfter) return later(running, submissionPace)
    if (kind === undefined || place === undefined || recent === undefined) {
      log('batch_submission_unknown', { batch: batch.object_id, channel: row.channel_id })
      return end(running, row, { results: [], rest: unknownSubmission })
    }
    const answer = await askProvider(place, recent, asking)
    if (answer.kind === 'answered' && isSuccess(answer.status)) {
      const id = kind.marked?.(answer.json, markOf(batch, row.first_line))
      return id === undefined ? refused(running, row, 'the provider has not begun it') : submitted(running, row, id)
    }
    if (waited < longestSearch) return later(running, submissionPace)
    log('batch_submission_unknown', { batch: batch.object_id, channel: row.channel_id })
    return end(running, row, { results: [], rest: unknownSubmission })
  }

  return { submit, findSubmission }
}
