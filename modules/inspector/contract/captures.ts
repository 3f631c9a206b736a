import { endpoint } from '@tollgate/contract/endpoint'
import { idParams, pageOf, pageQuery } from '@tollgate/contract/page'
import { z } from 'zod'

/** A body as it was stored: secrets are cut out, and what is beyond the bound. */
export const capturedBody = z.object({
  kind: z.enum(['json', 'stream', 'text', 'binary', 'none']),
  /** Empty for a binary one. */
  text: z.string(),
  /** Length of the whole body, also where only a part was stored. */
  bytes: z.int(),
  /** True where only the beginning was stored. */
  cut: z.boolean(),
})
export type CapturedBody = z.output<typeof capturedBody>

const headers = z.array(z.tuple([z.string(), z.string()]))

/** One request to an upstream. */
export const capturedAttempt = z.object({
  channel: z.int(),
  channel_name: z.string(),
  url: z.string(),
  headers,
  body: capturedBody,
  /** 0 where none came. */
  status: z.int(),
  answer_headers: headers,
  answer: capturedBody,
})
export type CapturedAttempt = z.output<typeof capturedAttempt>

/** Contents of a capture beside its row. */
export const captureContent = z.object({
  client: z.object({ path: z.string(), query: z.string(), headers, body: capturedBody }),
  attempts: z.array(capturedAttempt),
  answer: z.object({ status: z.int(), headers, body: capturedBody }),
  /** The answer's text, as a reader sees it. */
  text: z.string(),
  tool_calls: z.int(),
  /** Fields of the request that the provider cannot express. */
  unsupported: z.array(z.string()),
})
export type CaptureContent = z.output<typeof captureContent>

/** A member of a JSON body that is not the same on both sides; undefined where a side lacks it. */
export const bodyChange = z.object({ path: z.string(), before: z.string().optional(), after: z.string().optional() })
export type BodyChange = z.output<typeof bodyChange>

export const captureRow = z.object({
  id: z.int(),
  inspection_id: z.int(),
  request_id: z.string(),
  /** Unix seconds. */
  created_time: z.int(),
  expires_time: z.int(),
  username: z.string(),
  token_name: z.string(),
  channel_id: z.int(),
  model: z.string(),
  path: z.string(),
  status: z.int(),
  quota: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  took_ms: z.int(),
  bytes: z.int(),
  pinned: z.boolean(),
  /** The capture that was sent again; 0 for a call of a client. */
  replay_of: z.int(),
})
export type CaptureRow = z.output<typeof captureRow>

/**
 * Chance to send a capture again: `not_this_kind` for sessions, tasks and direct calls, `not_whole` if a body was stored in part only.
 */
export const captureReplays = ['possible', 'not_this_kind', 'not_whole'] as const

export const captureDetails = captureRow.extend({
  content: captureContent,
  /** Changes that the gateway made for the channel that was asked last; undefined if a side is no whole JSON. */
  changes: z.array(bodyChange).optional(),
  /** Replays of this capture. */
  replays: z.array(z.int()),
  replay: z.enum(captureReplays),
})
export type CaptureDetails = z.output<typeof captureDetails>

export const listCaptures = endpoint({
  method: 'GET',
  path: '/api/inspector/captures',
  access: 'admin',
  summary: 'Captured calls, the newest first',
  query: z.object({
    ...pageQuery,
    inspection: z.coerce.number().int().positive().optional().catch(undefined),
    request_id: z.string().max(255).default(''),
  }),
  data: pageOf(captureRow),
})

export const getCapture = endpoint({
  method: 'GET',
  path: '/api/inspector/captures/:id',
  access: 'admin',
  changes: true,
  summary: 'One captured call with its bodies; that it was read is an entry of the audit log',
  params: idParams,
  data: captureDetails,
})

export const pinCapture = endpoint({
  method: 'POST',
  path: '/api/inspector/captures/:id/pin',
  access: 'admin',
  summary: 'Pins a capture, which is then kept longer and can be sent again, or takes the pin away',
  params: idParams,
  body: z.object({ pinned: z.boolean() }),
})

export const deleteCapture = endpoint({
  method: 'DELETE',
  path: '/api/inspector/captures/:id',
  access: 'admin',
  summary: 'Deletes a capture',
  params: idParams,
})

export const replayCapture = endpoint({
  method: 'POST',
  path: '/api/inspector/captures/:id/replay',
  access: 'admin',
  summary: 'Sends a pinned capture again, to another channel or model; the sandbox account or one’s own pays',
  params: idParams,
  body: z.object({
    /** 0 for any channel. */
    channel_id: z.int().min(0).default(0),
    /** Empty for the same. */
    model: z.string().trim().max(255).default(''),
  }),
  /** The id of the capture of this call. */
  data: z.object({ id: z.int() }),
})
