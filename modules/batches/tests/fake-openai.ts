import type { Received } from '#server-test/support/gateway/upstream.ts'

interface FakeBatch {
  readonly id: string
  readonly inputFile: string
  readonly endpoint: string
  readonly metadata: unknown
  status: string
  readonly lines: readonly { readonly custom_id: string; readonly body: Readonly<Record<string, unknown>> }[]
}

/** The JSON of one line's answer, with the tokens that it costs. */
export type FakeLine = (custom: string, body: Readonly<Record<string, unknown>>) => { status: number; body: object }

const fieldOf = (body: string, name: string): string =>
  new RegExp(`name="${name}"[^\\r]*\\r\\n(?:[^\\r]+\\r\\n)?\\r\\n([\\s\\S]*?)\\r\\n--`).exec(body)?.[1] ?? ''

/** OpenAI's files and batches, as platform.openai.com/docs/api-reference/batch has them: batches end when the test says so. */
export const openFakeOpenai = (lineAnswer: FakeLine) => {
  const files = new Map<string, string>()
  const batches = new Map<string, FakeBatch>()
  const outputs = new Map<string, { readonly output: string; readonly error: string }>()
  let refusal: { readonly status: number; readonly body: object } | undefined
  let isSilent = false
  let cancelled = 0

  const objectOf = (batch: FakeBatch): object => {
    const done = outputs.get(batch.id)
    return {
      id: batch.id,
      object: 'batch',
      endpoint: batch.endpoint,
      errors: null,
      input_file_id: batch.inputFile,
      completion_window: '24h',
      status: batch.status,
      output_file_id: done === undefined || done.output === '' ? null : `${batch.id}-output`,
      error_file_id: done === undefined || done.error === '' ? null : `${batch.id}-error`,
      request_counts: { total: batch.lines.length, completed: 0, failed: 0 },
      metadata: batch.metadata,
    }
  }

  const send = ({ response }: Received, status: number, body: object | string): void => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  }

  const create = (call: Received) => {
    if (refusal !== undefined) return send(call, refusal.status, refusal.body)
    const asked = JSON.parse(call.body.toString())
    const batch: FakeBatch = {
      id: `batch_at_provider_${batches.size + 1}`,
      inputFile: asked.input_file_id,
      endpoint: asked.endpoint,
      metadata: asked.metadata,
      status: 'in_progress',
      lines: (files.get(asked.input_file_id) ?? '').split('\n').map((line) => JSON.parse(line)),
    }
    batches.set(batch.id, batch)
    if (isSilent) call.response.destroy()
    else send(call, 200, objectOf(batch))
  }

  const answer = (call: Received) => {
    const { method } = call
    const path = call.path.split('?', 1)[0] ?? ''
    const [, , collection, id = '', action] = path.split('/')
    if (collection === 'files' && method === 'POST') {
      const name = `file-at-provider-${files.size + 1}`
      files.set(name, fieldOf(call.body.toString(), 'file'))
      return send(call, 200, { id: name, object: 'file', purpose: fieldOf(call.body.toString(), 'purpose') })
    }
    if (collection === 'files' && action === 'content') {
      const [batch = '', which] = [id.slice(0, id.lastIndexOf('-')), id.slice(id.lastIndexOf('-') + 1)]
      const of = outputs.get(batch)
      return send(call, 200, (which === 'output' ? of?.output : of?.error) ?? '')
    }
    if (collection !== 'batches') return send(call, 404, { error: { message: 'no such path' } })
    if (method === 'POST' && id === '') return create(call)
    if (id === '')
      return send(call, 200, { object: 'list', data: [...batches.values()].map(objectOf), has_more: false })
    const batch = batches.get(id)
    if (batch === undefined) return send(call, 404, { error: { message: 'no such batch' } })
    if (action === 'cancel') {
      cancelled += 1
      batch.status = 'cancelling'
    }
    return send(call, 200, objectOf(batch))
  }

  return {
    answer,
    batches,
    get cancelled() {
      return cancelled
    },
    /** Refuses batches from now on. */
    refuse(status: number, body: object): void {
      refusal = { status, body }
    },
    /** Makes batches, and never says so. */
    beSilent(): void {
      isSilent = true
    },
    /** Ends all batches: `count` lines are answered, in another order than they came; the others were not begun. */
    finish(status: 'completed' | 'cancelled' | 'expired' = 'completed', count = Number.POSITIVE_INFINITY): void {
      for (const batch of batches.values()) {
        const [output, error]: [string[], string[]] = [[], []]
        for (const [index, { custom_id, body }] of batch.lines.entries()) {
          if (index >= count) {
            const code = status === 'expired' ? 'batch_expired' : 'batch_cancelled'
            error.unshift(JSON.stringify({ id: 'r', custom_id, response: null, error: { code, message: 'not begun' } }))
            continue
          }
          const { status: code, body: answered } = lineAnswer(custom_id, body)
          const response = { status_code: code, request_id: `req_${custom_id}`, body: answered }
          const line = JSON.stringify({ id: `batch_req_${custom_id}`, custom_id, response, error: null })
          ;(code === 200 ? output : error).unshift(line)
        }
        outputs.set(batch.id, { output: output.join('\n'), error: error.join('\n') })
        batch.status = status
      }
    },
  }
}

export type FakeOpenai = ReturnType<typeof openFakeOpenai>
