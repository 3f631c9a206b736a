/** A batch that a provider has. */
export interface FakeBatch {
  readonly id: string
  readonly inputFile: string
  readonly endpoint: string
  readonly metadata: unknown
  /** The request that made it. */
  readonly asked: Readonly<Record<string, unknown>>
  status: string
  readonly lines: readonly { readonly custom_id: string; readonly body: Readonly<Record<string, unknown>> }[]
}

/** Results of a batch as lines of JSON. */
interface FakeResults {
  readonly output: string
  readonly error: string
}

/** One provider's paths and objects. */
export interface FakeForm {
  readonly prefix: string
  readonly collection: string
  /** End of the path that cancels a batch. */
  readonly cancel: string
  inputOf(asked: Readonly<Record<string, unknown>>): string
  objectOf(batch: FakeBatch, results: FakeResults | undefined): object
  listOf(objects: readonly object[]): object
  /** A page of results; absent where they are files. */
  pageOf?(results: FakeResults | undefined, query: URLSearchParams): object
}

const idOf = ({ id }: FakeBatch, which: keyof FakeResults, results: FakeResults | undefined): string | null =>
  results === undefined || results[which] === '' ? null : `${id}-${which}`

/** OpenAI's files and batches (platform.openai.com/docs/api-reference/batch), below another address. */
export const openaiForm = (prefix = '/v1'): FakeForm => ({
  prefix,
  collection: 'batches',
  cancel: '/cancel',
  inputOf: ({ input_file_id: id }) => String(id),
  objectOf: (batch, results) => ({
    id: batch.id,
    object: 'batch',
    endpoint: batch.endpoint,
    errors: null,
    input_file_id: batch.inputFile,
    completion_window: '24h',
    status: batch.status,
    output_file_id: idOf(batch, 'output', results),
    error_file_id: idOf(batch, 'error', results),
    request_counts: { total: batch.lines.length, completed: 0, failed: 0 },
    metadata: batch.metadata,
  }),
  listOf: (data) => ({ object: 'list', data, has_more: false }),
})

const mistralStatuses: Readonly<Record<string, string>> = {
  in_progress: 'RUNNING',
  cancelling: 'CANCELLATION_REQUESTED',
  completed: 'SUCCESS',
  cancelled: 'CANCELLED',
  expired: 'TIMEOUT_EXCEEDED',
}

/** Mistral's jobs (docs.mistral.ai/api/#tag/batch). */
export const mistralForm: FakeForm = {
  prefix: '/v1',
  collection: 'batch/jobs',
  cancel: '/cancel',
  inputOf: ({ input_files: files }) => String(Array.isArray(files) ? files[0] : ''),
  objectOf: (batch, results) => ({
    id: batch.id,
    object: 'batch',
    input_files: [batch.inputFile],
    metadata: batch.metadata,
    endpoint: batch.endpoint,
    model: batch.asked.model,
    output_file: idOf(batch, 'output', results),
    error_file: idOf(batch, 'error', results),
    errors: [],
    status: mistralStatuses[batch.status],
    created_at: 1_790_000_000,
    total_requests: batch.lines.length,
    completed_requests: 0,
    succeeded_requests: 0,
    failed_requests: 0,
  }),
  listOf: (data) => ({ object: 'list', data, total: data.length }),
}

const xaiPage = 2

/** xAI's batches (docs.x.ai/developers/advanced-api-usage/batch-api): counts instead of a status, and results in pages. */
export const xaiForm: FakeForm = {
  prefix: '/v1',
  collection: 'batches',
  cancel: ':cancel',
  inputOf: ({ input_file_id: id }) => String(id),
  objectOf: (batch, results) => ({
    batch_id: batch.id,
    name: batch.asked.name,
    create_time: '2026-11-30',
    input_file_id: batch.inputFile,
    ...(batch.status === 'cancelled' && { cancel_time: '2026-11-30' }),
    state: {
      num_requests: batch.lines.length,
      num_pending: results === undefined ? batch.lines.length : 0,
      num_success: results === undefined ? 0 : results.output.split('\n').filter((line) => line !== '').length,
      num_error: 0,
      num_cancelled: 0,
    },
  }),
  listOf: (batches) => ({ batches, pagination_token: null }),
  pageOf(results, query) {
    const lines = [results?.output ?? '', results?.error ?? '']
      .flatMap((text) => text.split('\n'))
      .filter((line) => line !== '')
    const from = Number(query.get('pagination_token') ?? 0)
    return {
      results: lines.slice(from, from + xaiPage).map((text) => {
        const { custom_id: name, response, error } = JSON.parse(text)
        const made = response?.status_code === 200
        const failure = response === null ? { code: 1, message: error.message } : { code: 3, message: 'bad' }
        return {
          batch_request_id: name,
          batch_result: made ? { response: { chat_get_completion: response.body } } : { error: failure },
        }
      }),
      pagination_token: from + xaiPage < lines.length ? String(from + xaiPage) : null,
    }
  },
}
