import type { Received } from '#server-test/support/gateway/upstream.ts'

/** A line as the provider got it: its name, and the request. */
export interface InlineLine {
  readonly name: string
  readonly request: Readonly<Record<string, unknown>>
}

interface InlineBatch {
  readonly id: string
  readonly path: string
  readonly lines: readonly InlineLine[]
  readonly mark: unknown
  /** Milliseconds. */
  readonly createdAt: number
  state: 'running' | 'ended' | 'cancelled'
  /** Lines that were answered. */
  done: number
}

export interface InlineApi {
  linesOf(body: Readonly<Record<string, unknown>>): readonly InlineLine[]
  markOf(body: Readonly<Record<string, unknown>>): unknown
  /** True for the path that makes a batch. */
  creates(path: string): boolean
  /** Id in the path of a call about a batch. */
  idIn(path: string): string | undefined
  objectOf(batch: InlineBatch): object
  /** Path that lists batches, and the answer; absent where no test asks for it. */
  readonly list?: { readonly path: string; page(batches: readonly InlineBatch[], query: URLSearchParams): object }
  /** The results as a text of their own; absent where they stand in the object. */
  resultsOf?(batch: InlineBatch): string
}

export type AnswerLine = (line: InlineLine) => object

const named = <Made>(batch: InlineBatch, make: (line: InlineLine, isDone: boolean) => Made): Made[] =>
  batch.lines.map((line, index) => make(line, index < batch.done)).reverse()

const resultOfAnthropic = (line: InlineLine, isDone: boolean, answer: AnswerLine): object =>
  isDone ? answer(line) : { type: 'canceled' }

/** A page of Anthropic's list has so many batches here. */
const perPage = 2

const anthropicObject = ({ id, state, lines, done, createdAt }: InlineBatch): object => ({
  id,
  type: 'message_batch',
  created_at: new Date(createdAt).toISOString(),
  processing_status: state === 'running' ? 'in_progress' : 'ended',
  request_counts:
    state === 'running'
      ? { processing: lines.length, succeeded: 0, errored: 0, canceled: 0, expired: 0 }
      : { processing: 0, succeeded: done, errored: 0, canceled: lines.length - done, expired: 0 },
  results_url: state === 'running' ? null : `https://api.anthropic.com/v1/messages/batches/${id}/results`,
})

/** Anthropic's batches (platform.claude.com/docs/en/api/creating-message-batches). `answer` makes the result of a line. */
export const anthropicApi = (answer: AnswerLine): InlineApi => ({
  linesOf: ({ requests }) =>
    (requests as { custom_id: string; params: InlineLine['request'] }[]).map(({ custom_id, params }) => ({
      name: custom_id,
      request: params,
    })),
  markOf: () => undefined,
  creates: (path) => path === '/v1/messages/batches',
  idIn: (path) => /^\/v1\/messages\/batches\/([^/]+)/.exec(path)?.[1],
  objectOf: anthropicObject,
  list: {
    path: '/v1/messages/batches',
    page(batches, query) {
      const newest = [...batches].sort((left, right) => right.createdAt - left.createdAt)
      const from = newest.findIndex(({ id }) => id === query.get('after_id')) + 1
      const page = newest.slice(from, from + perPage)
      return {
        data: page.map(anthropicObject),
        has_more: from + perPage < newest.length,
        first_id: page[0]?.id ?? null,
        last_id: page.at(-1)?.id ?? null,
      }
    },
  },
  resultsOf: (batch) =>
    named(batch, (line, isDone) =>
      JSON.stringify({ custom_id: line.name, result: resultOfAnthropic(line, isDone, answer) }),
    ).join('\n'),
})

const openrouterStatuses = { running: 'in_progress', ended: 'completed', cancelled: 'expired' } as const

const openrouterItem = ({ id, state, lines, done, createdAt }: InlineBatch) => ({
  id,
  object: 'batch',
  endpoint: '/v1/chat/completions',
  model: 'openai/gpt-4o',
  completion_window: '24h',
  created_at: Math.floor(createdAt / 1000),
  status: openrouterStatuses[state],
  error: null,
  // Requests are counted once they were checked.
  request_counts: { total: state === 'running' ? 0 : lines.length, completed: done, failed: 0 },
  usage: null,
})

/** OpenRouter's batches (openrouter.ai/docs/guides/features/batch-api): nothing cancels them. `answer` has the response or the error of a line. */
export const openrouterApi = (answer: AnswerLine): InlineApi => ({
  linesOf: ({ requests }) =>
    (requests as { custom_id: string; body: InlineLine['request'] }[]).map(({ custom_id, body }) => ({
      name: custom_id,
      request: body,
    })),
  markOf: () => undefined,
  creates: (path) => path === '/api/v1/batches',
  idIn: (path) => /^\/api\/v1\/batches\/([^/]+)$/.exec(path)?.[1],
  objectOf: (batch) => ({
    ...openrouterItem(batch),
    results:
      batch.state === 'running'
        ? null
        : named(batch, (line, isDone) => ({
            id: `result-${line.name}`,
            custom_id: line.name,
            ...(isDone
              ? { response: null, error: null, ...answer(line) }
              : { response: null, error: { type: 'expired', message: 'not begun', param: null } }),
          })),
  }),
  list: {
    path: '/api/v1/batches',
    page(batches, query) {
      const newest = [...batches].sort((left, right) => right.createdAt - left.createdAt)
      const from = newest.findIndex(({ id }) => id === query.get('after')) + 1
      const page = newest.slice(from, from + perPage)
      const data = page.map((batch) => ({ ...openrouterItem(batch), results: null }))
      const has_more = from + perPage < newest.length
      return { object: 'list', data, has_more, first_id: page[0]?.id ?? null, last_id: page.at(-1)?.id ?? null }
    },
  },
})

/** Gemini's batches with requests in the call (ai.google.dev/api/batch-api). `answer` has the response or the error of a line. */
export const geminiApi = (answer: AnswerLine): InlineApi => ({
  linesOf({ batch }) {
    const { inputConfig } = batch as {
      inputConfig: { requests: { requests: { request: InlineLine['request']; metadata: { key: string } }[] } }
    }
    return inputConfig.requests.requests.map(({ request, metadata }) => ({ name: metadata.key, request }))
  },
  markOf: ({ batch }) => (batch as { displayName?: string }).displayName,
  creates: (path) => /:(batchGenerateContent|asyncBatchEmbedContent)$/.test(path),
  idIn: (path) => /^\/v1beta\/batches\/([^/:]+)/.exec(path)?.[1],
  objectOf: (batch) => ({
    name: `batches/${batch.id}`,
    metadata: {
      displayName: batch.mark,
      state: `BATCH_STATE_${batch.state === 'running' ? 'RUNNING' : batch.state === 'ended' ? 'SUCCEEDED' : 'CANCELLED'}`,
    },
    ...(batch.state === 'running'
      ? {}
      : {
          done: true,
          response: {
            inlinedResponses: {
              inlinedResponses: named(batch, (line, isDone) => ({
                ...(isDone ? answer(line) : { error: { code: 1, message: 'cancelled' } }),
                metadata: { key: line.name },
              })),
            },
          },
        }),
  }),
})

/** A provider whose batches have their requests in the call. They end when the test says so. */
export const openFakeInline = (api: InlineApi) => {
  const batches: InlineBatch[] = []
  let silence: 'made' | 'not made' | undefined
  let isUnlisted = false
  let cancelled = 0
  const send = ({ response }: Received, status: number, body: object | string): void => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  }
  return {
    batches,
    get cancelled() {
      return cancelled
    },
    answer(call: Received): void {
      const path = call.path.split('?', 1)[0] ?? ''
      if (api.creates(path) && call.method === 'POST') {
        if (silence === 'not made') {
          call.response.destroy()
          return
        }
        const body = JSON.parse(call.body.toString())
        const id = `at-provider-${batches.length + 1}`
        const batch: InlineBatch = {
          id,
          path,
          lines: api.linesOf(body),
          mark: api.markOf(body),
          createdAt: Date.now(),
          state: 'running',
          done: 0,
        }
        batches.push(batch)
        if (silence === 'made') call.response.destroy()
        else send(call, 200, api.objectOf(batch))
        return
      }
      if (path === api.list?.path) {
        const { searchParams } = new URL(call.path, 'http://provider')
        if (isUnlisted) send(call, 500, { error: { message: 'no list' } })
        else send(call, 200, api.list.page(batches, searchParams))
        return
      }
      const batch = batches.find(({ id }) => id === api.idIn(path))
      if (batch === undefined) {
        send(call, 404, { error: { message: 'no such batch' } })
        return
      }
      if (/[/:]cancel$/.test(path)) cancelled += 1
      if (path.endsWith('/results')) send(call, 200, api.resultsOf?.(batch) ?? '')
      else send(call, 200, api.objectOf(batch))
    },
    /** Breaks the connection of those who make batches: after it has made them, or before. */
    beSilent(how: 'made' | 'not made' = 'made'): void {
      silence = how
    },
    /** Lists no batches from now on. */
    beUnlisted(): void {
      isUnlisted = true
    },
    /** A batch of another program on the same account, which is as large unless `names` are others. */
    addStranger(id: string, names: readonly string[], state: InlineBatch['state'] = 'running'): void {
      const lines = names.map((name) => ({ name, request: { text: 'name-77' } }))
      const done = state === 'ended' ? lines.length : 0
      batches.push({ id, path: '', lines, mark: undefined, createdAt: Date.now(), state, done })
    },
    /** Batches are not there any more. */
    forget(): void {
      batches.length = 0
    },
    finish(state: 'ended' | 'cancelled' = 'ended', done = Number.POSITIVE_INFINITY): void {
      for (const batch of batches.filter((one) => one.state === 'running'))
        Object.assign(batch, { state, done: Math.min(done, batch.lines.length) })
    },
  }
}

export type FakeInline = ReturnType<typeof openFakeInline>
