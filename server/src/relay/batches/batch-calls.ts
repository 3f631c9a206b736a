import { isObject, type JsonObject, objectsOf, parsedJson, textOf } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import type { CallFacts } from '../call.ts'
import type { Client } from '../client.ts'
import { aimOf, bareId, collectionOf, type DirectAim } from '../direct/collections.ts'
import { nameOf } from '../direct/created-objects.ts'
import type { DirectBody, DirectRequest } from '../direct/direct-fence.ts'
import { modelInPath } from '../direct/direct-models.ts'
import type { Hold, Prices } from '../ports.ts'
import type { HeldJobs } from '../provider-jobs/held-jobs.ts'
import { ownerOf } from '../provider-jobs/job-owner.ts'
import { makerOf } from '../reader.ts'
import { mostOfInputs } from './billing/batch-prices.ts'
import { CountingClient } from './counting-client.ts'
import { joinedInputs } from './inputs/input-sum.ts'
import { inputOfUpload, inputsIn } from './inputs/read-inputs.ts'
import type { BatchAddress } from './kinds/batch-kind.ts'
import { batchKindOf, batchKinds, kindOfObject } from './kinds/index.ts'
import type { Batches, BatchInput, BatchPlace, NotedBatch } from './ports.ts'
import type { BatchSettling } from './settle-batches.ts'

export interface BatchCallsParts {
  readonly batches: Batches
  readonly held: HeldJobs
  readonly settling: BatchSettling
  readonly prices: Prices
  readonly keyHashOf: (key: string) => string
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly log: (event: string, fields: Readonly<Record<string, unknown>>) => void
}

/** The part of a direct call that batches need. */
export interface BatchRequest extends DirectRequest {
  readonly facts: Pick<CallFacts, 'ip' | 'program' | 'endUser' | 'path'>
}

/** Effect of a direct call on batches. */
export interface BatchCall {
  /**
   * Quota units to hold until the batch is over, where the call creates one or adds lines to it; undefined for other calls, and where
   * its lines are unknown.
   */
  readonly held: number | undefined
  /** True where the call creates a batch or adds to one: its lines are charged instead of the call. */
  readonly makes: boolean
  /** Preparation before the call is sent. */
  before(): Promise<void>
  /**
   * Reads a successful answer before its client gets it; true where a batch was noted, which then owns the hold. `json` is undefined for
   * an answer that is not read.
   */
  answered(json: JsonObject | undefined, key: string, hold: Hold | undefined): Promise<boolean>
  /** Wraps the client where results are counted while they are forwarded. */
  tap(client: Client): Client
}

/** Most bytes of an answer that is read while it is forwarded. */
export const mostReadOfAnswer = 8 * 1024 * 1024

const collections: ReadonlySet<string> = new Set(batchKinds.map(({ collection }) => collection))

const prefixOf = (path: string, behind: number): string =>
  path.replace(/\/+$/, '').split('/').slice(0, -behind).join('/')

/** The `api-version` parameter of a query, which some APIs require in every call. */
const versionIn = (query: string): string => {
  const version = new URLSearchParams(query).get('api-version')
  return version === null ? '' : `?api-version=${encodeURIComponent(version)}`
}

const idOf = (collection: string, object: JsonObject): string | undefined => {
  const found = collectionOf(collection)
  return found && nameOf(found, object)?.id
}

/** Together wraps a batch that it makes, and no other (docs.together.ai/docs/inference/batch/manage). */
const unwrapped = (answer: JsonObject): JsonObject =>
  answer.id === undefined && isObject(answer.job) ? answer.job : answer

/** Query parameters that do not select a part of the results. */
const plainNames: ReadonlySet<string> = new Set(['api-version', 'alt'])

const nothing = async (): Promise<void> => {}
const asItIs = (client: Client): Client => client

/** Tracks batches of direct calls: holds quota when one is created, and settles it at its end. */
export const openBatchCalls = (parts: BatchCallsParts) => {
  const { batches, held, settling, prices, keyHashOf, clock, log } = parts

  const placesOf = ({ channel }: DirectRequest): readonly BatchPlace[] =>
    channel.keys.map((key) => ({ channelId: channel.id, keyHash: keyHashOf(key) }))

  /** Settles a batch after the answer, so that the client does not wait. */
  const settleSoon = (batch: NotedBatch, { channel }: DirectRequest): void => {
    setImmediate(() => void settling.settle(batch, channel))
  }

  const inputsOf = async (request: DirectRequest, body: DirectBody): Promise<readonly BatchInput[]> => {
    const json = body.json ?? parsedJson(body.bytes.toString())
    if (!isObject(json)) return []
    const { inputs, files, model } = inputsIn(json, modelInPath(request.path) ?? '')
    const ofFiles =
      files.length === 0
        ? []
        : await batches.inputsOf(
            files.map((id) => bareId('files', id)),
            placesOf(request),
          )
    return ofFiles === undefined ? [] : joinedInputs([...inputs, ...ofFiles], model)
  }

  const heldFor = (inputs: readonly BatchInput[], { caller }: DirectRequest): number | undefined =>
    inputs.length === 0 ? undefined : mostOfInputs(inputs, prices, caller.group)

  const keep = (id: number, hold: Hold | undefined): void => {
    if (hold !== undefined) held.keep(id, { hold, at: clock() })
  }

  /** A call that makes a batch. */
  const making = async (
    request: BatchRequest,
    body: DirectBody,
    { collection, address }: { readonly collection: string; readonly address: BatchAddress },
  ): Promise<BatchCall> => {
    const inputs = await inputsOf(request, body)
    const { channel, caller, facts } = request
    return {
      held: heldFor(inputs, request),
      makes: true,
      before: nothing,
      async answered(json, key, hold) {
        const made = json && unwrapped(json)
        const kind = made && kindOfObject(collection, made)
        const objectId = made && kind && idOf(collection, made)
        if (kind === undefined || objectId === undefined) return false
        const batch = await batches.add({
          kind: kind.name,
          objectId,
          channelId: channel.id,
          keyHash: keyHashOf(key),
          maker: makerOf(caller),
          owner: ownerOf(caller, facts),
          address,
          inputs,
          held: hold?.quota ?? 0,
          createdAt: clock(),
        })
        if (batch === undefined) return false
        // The same answer to a repeated request: its batch has a hold already.
        if (batch.isNew) keep(batch.id, hold)
        else hold?.release()
        return true
      },
      tap: asItIs,
    }
  }

  const growing = async (request: BatchRequest, body: DirectBody, batch: NotedBatch): Promise<BatchCall> => {
    const inputs = await inputsOf(request, body)
    return {
      held: heldFor(inputs, request),
      makes: true,
      async before() {
        // It has been charged: later results would not be.
        if (!(await batches.isOpen(batch.id)))
          throw new AppError('object_not_found', { params: { id: batch.objectId } })
      },
      async answered(_, __, hold) {
        if (!(await batches.grow(batch.id, inputs, hold?.quota ?? 0))) return false
        keep(batch.id, hold)
        return true
      },
      tap: asItIs,
    }
  }

  /** A call that reads batches of a collection. */
  const reading = (request: DirectRequest, collection: string, id?: string): BatchCall => ({
    held: undefined,
    makes: false,
    before: nothing,
    async answered(json) {
      if (json === undefined) {
        // An answer that long has results in it.
        const known = id === undefined ? [] : await batches.find(collection, [id], placesOf(request))
        for (const batch of known) if (batch.isOpen) settleSoon(batch, request)
        return false
      }
      const objects = [json, ...objectsOf(json.data), ...objectsOf(json.operations), ...objectsOf(json.batches)]
      const final = new Map<string, readonly string[]>()
      for (const object of objects) {
        const kind = kindOfObject(collection, object)
        const state = kind?.stateOf(object)
        const id = idOf(collection, object)
        if (state?.isFinal === true && id !== undefined) final.set(id, state.files)
      }
      if (final.size === 0) return false
      for (const batch of await batches.find(collection, [...final.keys()], placesOf(request))) {
        if (!batch.isOpen) continue
        const files = final.get(batch.objectId) ?? []
        if (files.length > 0) await batches.noteFiles(batch.id, files)
        settleSoon(batch, request)
      }
      return false
    },
    tap: asItIs,
  })

  /** A call that reads results as lines: they are counted on their way, and charged if all of them come. */
  const counting = (batch: NotedBatch, request: DirectRequest): BatchCall => ({
    held: undefined,
    makes: false,
    before: nothing,
    answered: async () => false,
    tap(client) {
      const kind = batchKindOf(batch.kind)
      // A query may ask for less than all.
      const isWhole = [...new URLSearchParams(request.query).keys()].every((name) => plainNames.has(name))
      if (kind === undefined || !isWhole) {
        settleSoon(batch, request)
        return client
      }
      const model = batch.inputs[0]?.model ?? ''
      return new CountingClient(client, settling.sumOf(batch), { kind, model }, (sum) => {
        if (sum === undefined) settleSoon(batch, request)
        else void settling.charge(batch, sum)
      })
    },
  })

  /** Settles a batch before its results are deleted. */
  const deleting = (batch: NotedBatch, { channel }: DirectRequest): BatchCall => ({
    held: undefined,
    makes: false,
    before: async () => void (await settling.settle(batch, channel)),
    answered: async () => false,
    tap: asItIs,
  })

  /** A file that is uploaded may become the input of batches. */
  const uploading = (request: DirectRequest, body: DirectBody): BatchCall => ({
    held: undefined,
    makes: false,
    before: nothing,
    async answered(json, key) {
      const file = isObject(json?.file) ? json.file : json
      const id = textOf(file?.id) || textOf(file?.name)
      const inputs = id === '' ? undefined : await inputOfUpload(body.bytes, body.contentType)
      if (inputs === undefined) return false
      const place = { channelId: request.channel.id, keyHash: keyHashOf(key) }
      await batches.noteInput(bareId('files', id), place, inputs)
      return false
    },
    tap: asItIs,
  })

  const onBatch = async (
    request: BatchRequest,
    body: DirectBody,
    aim: Extract<DirectAim, { kind: 'one' }>,
  ): Promise<BatchCall | undefined> => {
    const { method } = request
    const { collection, id, below } = aim
    if (method === 'GET' && below === '') return reading(request, collection.kind, id)
    if (method === 'POST' && (below === 'cancel' || below === ':cancel')) return reading(request, collection.kind, id)
    const [batch] = await batches.find(collection.kind, [id], placesOf(request))
    if (batch === undefined) return undefined
    if (method === 'POST' && below === 'requests' && batchKindOf(batch.kind)?.grows === true)
      return growing(request, body, batch)
    if (!batch.isOpen) return undefined
    if (method === 'GET' && below === 'results' && batchKindOf(batch.kind)?.pages === undefined)
      return counting(batch, request)
    if (method === 'GET') {
      settleSoon(batch, request)
      return undefined
    }
    if ((method === 'DELETE' && below === '') || below === ':delete') return deleting(batch, request)
    return undefined
  }

  const onFile = async (
    request: DirectRequest,
    aim: Extract<DirectAim, { kind: 'one' }>,
  ): Promise<BatchCall | undefined> => {
    const isRead = request.method === 'GET' && (aim.below === 'content' || aim.below === ':download')
    const isDelete = request.method === 'DELETE' && aim.below === ''
    if (!isRead && !isDelete) return undefined
    const batch = await batches.ofFile(aim.id, placesOf(request))
    if (batch === undefined) return undefined
    return isRead ? counting(batch, request) : deleting(batch, request)
  }

  const open = async (request: BatchRequest, body: DirectBody): Promise<BatchCall | undefined> => {
    const { method, path, query } = request
    const aim = aimOf(method, path)
    if (aim === undefined || aim.kind === 'models') return undefined
    if (aim.kind === 'action') {
      if (aim.makes === undefined || !collections.has(aim.makes.kind)) return undefined
      const address = { prefix: prefixOf(path, 2), query: versionIn(query) }
      return making(request, body, { collection: aim.makes.kind, address })
    }
    const { kind, paths } = aim.collection
    if (kind === 'files') {
      if (aim.kind === 'one') return onFile(request, aim)
      return method === 'POST' ? uploading(request, body) : undefined
    }
    if (!collections.has(kind)) return undefined
    if (aim.kind === 'one') return onBatch(request, body, aim)
    if (method === 'GET') return reading(request, kind)
    const behind = paths[0]?.split('/').length ?? 1
    const address = { prefix: prefixOf(path, behind), query: versionIn(query) }
    return making(request, body, { collection: kind, address })
  }

  return {
    /** Effect of a direct call on batches; undefined for nearly all calls. Database errors are logged, and the call goes on without. */
    async open(request: BatchRequest, body: DirectBody): Promise<BatchCall | undefined> {
      try {
        return await open(request, body)
      } catch (error) {
        if (error instanceof AppError) throw error
        log('batch_call_not_followed', { path: request.path, error })
        return undefined
      }
    },
  }
}

export type BatchCalls = ReturnType<typeof openBatchCalls>
