import { z } from 'zod'
import { batchResult } from '../batches.ts'
import { endpoint } from '../endpoint.ts'
import type { RefusalFields } from '../errors/refusal.ts'
import { batchSize, longestModelName } from '../sizes.ts'
import { testFields } from './channel-jobs.ts'

/** Channels that one of these calls takes at most. */
export const mostRunAtOnce = 500

/** NDJSON: one object a line, written as soon as it is known. Empty lines keep the connection open. */
const lines = { answers: 'file', fileTypes: ['application/x-ndjson'] } as const

const { model, ...howTested } = testFields

/** A line of `runChannelTests`: first a row whose test begins, later its result. */
export type ChannelTestLine = { id: number; model: string } & (
  | { state: 'running' }
  | { state: 'ok'; time: number; first_content_time: number | null; answer: string }
  | ({ state: 'failed'; error: string } & RefusalFields)
)

/** One call for all of them: a call for each would soon be more than an address may make. It ends when the reader goes. */
export const runChannelTests = endpoint({
  method: 'POST',
  path: '/api/channel/test/many',
  access: 'admin',
  summary: 'Sends a question through many channels, some at once, and tells each result as it comes',
  body: z.object({
    rows: z
      .array(z.object({ id: z.int().positive(), model }))
      .min(1)
      .max(mostRunAtOnce),
    parallel: z.int().min(1).max(16).default(4),
    ...howTested,
  }),
  ...lines,
})

/** A line of `fetchManyModels`: the models that a channel's upstream offers, or the reason why they are unknown. */
export type OfferedModelsLine = { id: number } & ({ models: string[] } | ({ error: string } & RefusalFields))

export const fetchManyModels = endpoint({
  method: 'POST',
  path: '/api/channel/fetch_models/many',
  access: 'admin',
  summary: 'Asks the upstreams of many stored channels for their models and tells each list as it comes',
  body: z.object({ ids: z.array(z.int().positive()).min(1).max(mostRunAtOnce) }),
  ...lines,
})

const names = z.array(z.string().min(1).max(longestModelName)).max(10_000).default([])

/** Adds and removes instead of setting the list, so that concurrent changes by others are kept. */
export const changeChannelModels = endpoint({
  method: 'POST',
  path: '/api/channel/batch/models',
  access: 'admin',
  summary: 'Adds models to many channels and removes others, each channel its own',
  body: z.object({
    rows: z
      .array(z.object({ id: z.int().positive(), add: names, remove: names }))
      .min(1)
      .max(batchSize),
  }),
  data: batchResult,
})
