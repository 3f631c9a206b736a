import { AppError } from '#server/lib/app-error.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import { randomAlphanumerics } from '#server/lib/ids.ts'
import type { Maker } from '#server/relay/reader.ts'
import type { Batch, BatchForm } from './forms/batch-form.ts'
import type { BatchStore } from './stored/batch-store.ts'
import type { BatchChunks } from './stored/chunks.ts'

/** A batch as a client asks for it. */
export interface AskedBatch {
  readonly form: BatchForm
  readonly maker: Maker
  readonly ip: string
  readonly endpoint: string
  readonly model: string
  /** Printed as JSON. */
  readonly settings: object
}

export interface CreationParts {
  readonly store: BatchStore
  readonly chunks: BatchChunks
  readonly mostOpen: () => number
  /** Program for the lines of new batches. */
  readonly runner: () => 'any' | 'own'
  readonly clock: Clock
  /** Looks for batches that are due. */
  readonly wake: () => void
}

/** Makes batches. Both throw AppError `batches_full`. */
export const createBatches = ({ store, chunks, mostOpen, runner, clock, wake }: CreationParts) => {
  const add = async (asked: AskedBatch, inputFile: string): Promise<Batch> => {
    const { form, maker, ip, endpoint, model, settings } = asked
    const most = mostOpen()
    if ((await store.countOpen(maker.userId)) >= most) throw new AppError('batches_full', { params: { most } })
    const { userId, tokenId, projectId, memberId } = maker
    return store.add({
      object_id: randomAlphanumerics(24),
      form: form.name,
      runner: runner(),
      user_id: userId,
      token_id: tokenId,
      project_id: projectId,
      member_id: memberId,
      ip,
      endpoint,
      model,
      settings: JSON.stringify(settings),
      input_file: inputFile,
      expires_time: unixSeconds(clock) + form.windowSeconds,
    })
  }

  const begun = async (id: number, state: 'validating' | 'in_progress', total: number): Promise<Batch> => {
    const batch = await store.begin(id, state, total)
    wake()
    return batch
  }

  return {
    /** A batch whose requests are a kept file, which its runner validates first. */
    async ofFile(asked: AskedBatch, inputFile: string): Promise<Batch> {
      const { id } = await add(asked, inputFile)
      return begun(id, 'validating', 0)
    },
    /** A batch of requests that were checked; each is JSON without line feeds. */
    async ofRequests(asked: AskedBatch, requests: readonly string[]): Promise<Batch> {
      const { id } = await add(asked, '')
      async function* lines(): AsyncGenerator<string> {
        for (const request of requests) yield `${request}\n`
      }
      await chunks.addInput(id, lines())
      return begun(id, 'in_progress', requests.length)
    },
  }
}

export type BatchCreation = ReturnType<typeof createBatches>
