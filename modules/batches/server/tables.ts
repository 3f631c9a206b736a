import type { Flag, Id, Time } from '#server/db/schema/columns.ts'

/** Batches that the gateway itself runs. Times are 0 where they have not come. */
export interface BatchesTable {
  id: Id
  /** Name without the beginning that each form gives it; requests of its lines begin with it. */
  object_id: string
  form: 'openai' | 'anthropic' | 'gemini'
  /** Program that does the lines; `any` until it is known that a provider's batch can have them. */
  runner: 'any' | 'own' | 'provider'
  /** `receiving` until all requests are stored. */
  state: 'receiving' | 'validating' | 'in_progress' | 'finalizing' | 'completed' | 'failed' | 'cancelled' | 'expired'
  user_id: number
  token_id: number
  project_id: number
  member_id: number
  ip: string
  /** Path of the calls; empty where each line has its own. */
  endpoint: string
  model: string
  /** JSON of its form. */
  settings: string
  /** Kept file with its requests; empty where they are chunks. */
  input_file: string
  output_file: string
  error_file: string
  /** JSON: why it failed. */
  errors: string
  total: number
  succeeded: number
  failed: number
  /** Lines that were not begun when it was cancelled or expired. */
  skipped: number
  /** Of all answers. */
  input_tokens: number
  cached_tokens: number
  output_tokens: number
  reasoning_tokens: number
  /** The first line that is not done, and its place in the input in bytes. */
  next_line: number
  next_offset: number
  /** Chunks of results so far. */
  chunks: number
  created_time: Time
  started_time: Time
  finalizing_time: Time
  /** When its end was asked for. */
  cancelling_time: Time
  ended_time: Time
  /** Lines that are not done by then expire. */
  expires_time: Time
  hidden: Flag
  /** From then on it is due, or the lease of its runner ends. */
  next_time: Time
  /** The same while it waits for its provider, and no runner has it. */
  wait_time: Time
  /** The last look that a call of its provider has asked for. */
  nudged_time: Time
  attempts: number
  error: string
  /** Quota units that its requests have cost; null until it has ended and they were added up. */
  quota: number | null
}

/** Texts of requests (`input`) and of results (`output`, `error`): lines of JSON, encrypted. */
export interface BatchChunksTable {
  id: Id
  batch_id: number
  kind: 'input' | 'output' | 'error'
  /** Of requests the place in bytes, of results the number of the chunk. */
  place: number
  /** Comma list of the lines that results belong to, in the order of the texts. */
  lines: string
  last_line: number
  content_cipher: string
}

/** Batches that are at a provider, or were. */
export interface ProviderBatchesTable {
  id: Id
  batch_id: number
  user_id: number
  token_id: number
  project_id: number
  member_id: number
  /** JSON: payer of its lines. */
  owner: string
  /** `submitting` until its id at the provider is known. */
  stage: 'submitting' | 'submitted'
  provider: string
  channel_id: number
  key_hash: string
  upstream_id: string
  /** JSON: prices of its models, as they were when it was submitted. */
  prices: string
  /** Quota units that its lines may cost. */
  held: number
  /** Lines of the part of the batch that is there; the last is 0 for the rest of it. */
  first_line: number
  last_line: number
  is_open: Flag
  /** Process that holds them, and until when it said so. */
  holder: string
  holder_until: Time
  /** How often its provider did not know it, one after the other. */
  misses: number
  /** When the provider was asked to end it. */
  cancel_time: Time
  created_time: Time
}

export interface BatchTables {
  provider_batches: ProviderBatchesTable
  batches: BatchesTable
  batch_chunks: BatchChunksTable
}

declare module '#server/db/schema.ts' {
  interface Tables extends BatchTables {}
}
