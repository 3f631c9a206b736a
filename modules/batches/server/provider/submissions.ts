import { setTimeout as sleep } from 'node:timers/promises'
import type { LinePlace } from '#server/relay/batches/lines/batch-lines.ts'
import { ownerOf } from '#server/relay/provider-jobs/job-owner.ts'
import { type AskParts, askProvider } from './ask-provider.ts'
import { findUnnamed, type SearchEnd } from './find-unnamed.ts'
import { printPrices } from './frozen-prices.ts'
import { kindNamed } from './kinds/index.ts'
import type { NewProviderBatch, ProviderKind } from './kinds/provider-kind.ts'
import { markOf, type PreparedBatch } from './prepare-lines.ts'
import type { ProviderBatch } from './provider-batch-store.ts'
import { isLeft, type ProviderRunParts, paceFor, type RunningBatch, type RunSteps } from './run-steps.ts'

const submissionPace = 60
/** Seconds after which a provider lists what it has begun. */
const listedAfter = 120
/** Times that an id is written until the database takes it, once a second: until then only this process knows it. */
const mostWrites = 100

const isSuccess = (status: number): boolean => status >= 200 && status < 300
/** The provider has read the request and does not do it. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408

/** Submits batches to their providers, each once. */
export const openSubmissions = (
  { store, jobs, chunks, callbackUrl, clock, log }: ProviderRunParts,
  asking: AskParts,
  steps: RunSteps,
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
    const { place, kind, path, model, lines, mark, caller, most, firstLine, lastLine } = prepared
    const callback = kind.calls?.(path) === true ? callbackUrl(batch.object_id) : undefined
    const asked = { mark, path, model, lines, callback }
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
    // Nothing was begun, maybe because of the address: a service in front of the provider may not know it.
    if (answer.kind === 'answered' && answer.status === 400 && batch.callback !== undefined)
      return create(running, { row, place, kind }, { ...batch, callback: undefined })
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

  /** The provider may have begun it, and cannot say so: its lines are made one by one. */
  const unknown = async (running: RunningBatch, row: ProviderBatch): Promise<void> => {
    log('batch_submission_unknown', { batch: running.batch.object_id, channel: row.channel_id })
    await refused(running, row, 'it is not known whether the provider has begun it')
  }

  /** Lines that were submitted: those of the part that had no result before. */
  const linesOf = async ({ batch }: RunningBatch, { first_line: first, last_line: last }: ProviderBatch) => {
    const end = last === 0 ? batch.total : last
    const done = await chunks.doneLines(Number(batch.id), first)
    return end - first + 1 - [...done].filter((line) => line <= end).length
  }

  const search = async (
    running: RunningBatch,
    row: ProviderBatch,
    { kind, place }: { readonly kind: ProviderKind; readonly place: LinePlace },
  ): Promise<SearchEnd> => {
    const mark = markOf(running.batch, row.first_line)
    if (kind.unnamed !== undefined) {
      const lines = await linesOf(running, row)
      const sought = { kind, unnamed: kind.unnamed, mark, lines, submittedAt: row.created_time }
      return findUnnamed(sought, { place, asking, ofOurs: store.ofOurs })
    }
    if (kind.recent === undefined) return 'unread'
    const answer = await askProvider(place, kind.recent(), asking)
    if (answer.kind !== 'answered' || !isSuccess(answer.status)) return 'unread'
    const id = kind.marked?.(answer.json, mark)
    return id === undefined ? 'none' : { id }
  }

  /** A batch whose process ended, or got no answer, while it was submitted: it is searched for, and never submitted again. */
  const findSubmission = async (running: RunningBatch, row: ProviderBatch): Promise<void> => {
    const kind = kindNamed(row.provider)
    const place = placeOf(row)
    const { created_time: made, expires_time: due } = running.batch
    if (now() - row.created_time < listedAfter) return later(running, submissionPace)
    if (kind === undefined || place === undefined) return unknown(running, row)
    const found = await search(running, row, { kind, place })
    if (typeof found === 'object') return submitted(running, row, found.id)
    if (found === 'none') return refused(running, row, 'the provider has not begun it')
    // The rest of the window is for making its lines one by one.
    const mayWait = found === 'open' || 2 * now() < Number(made) + Number(due)
    return mayWait ? later(running, submissionPace) : unknown(running, row)
  }

  return { submit, findSubmission }
}
