import type { Received } from '#server-test/support/gateway/upstream.ts'
import { type FakeBatch, type FakeForm, openaiForm } from './fake-forms.ts'

/** The JSON of one line's answer, with the tokens that it costs. */
export type FakeLine = (custom: string, body: Readonly<Record<string, unknown>>) => { status: number; body: object }

const fieldOf = (body: string, name: string): string =>
  new RegExp(`name="${name}"[^\\r]*\\r\\n(?:[^\\r]+\\r\\n)?\\r\\n([\\s\\S]*?)\\r\\n--`).exec(body)?.[1] ?? ''

/** A provider whose batches are uploaded files of lines, in the form of OpenAI's or another: they end when the test says so. */
export const openFakeOpenai = (lineAnswer: FakeLine, form: FakeForm = openaiForm()) => {
  const files = new Map<string, string>()
  const batches = new Map<string, FakeBatch>()
  const outputs = new Map<string, { readonly output: string; readonly error: string }>()
  let refusal: { readonly status: number; readonly body: object } | undefined
  const purposes: string[] = []
  let isSilent = false
  let cancelled = 0

  const objectOf = (batch: FakeBatch): object => form.objectOf(batch, outputs.get(batch.id))

  const send = ({ response }: Received, status: number, body: object | string): void => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  }

  const create = (call: Received) => {
    if (refusal !== undefined) return send(call, refusal.status, refusal.body)
    const asked = JSON.parse(call.body.toString())
    const inputFile = form.inputOf(asked)
    const batch: FakeBatch = {
      id: `batch_at_provider_${batches.size + 1}`,
      inputFile,
      endpoint: asked.endpoint,
      metadata: asked.metadata,
      asked,
      status: 'in_progress',
      lines: (files.get(inputFile) ?? '').split('\n').map((line) => JSON.parse(line)),
    }
    batches.set(batch.id, batch)
    if (isSilent) call.response.destroy()
    else send(call, 200, objectOf(batch))
  }

  const answer = (call: Received) => {
    const { method } = call
    const path = call.path.split('?', 1)[0] ?? ''
    const below = path.startsWith(`${form.prefix}/`) ? path.slice(form.prefix.length + 1) : ''
    const [, file] = /^files\/([^/]+)\/content$/.exec(below) ?? []
    if (below === 'files' && method === 'POST') {
      const name = `file-at-provider-${files.size + 1}`
      files.set(name, fieldOf(call.body.toString(), 'file'))
      purposes.push(fieldOf(call.body.toString(), 'purpose'))
      return send(call, 200, { id: name, object: 'file' })
    }
    if (file !== undefined) {
      const of = outputs.get(file.slice(0, file.lastIndexOf('-')))
      return send(call, 200, (file.endsWith('-output') ? of?.output : of?.error) ?? '')
    }
    if (below === form.collection && method === 'POST') return create(call)
    if (below === form.collection) return send(call, 200, form.listOf([...batches.values()].map(objectOf)))
    const [, id = '', action] = below.startsWith(`${form.collection}/`)
      ? (/^([^/:]+)([/:].+)?$/.exec(below.slice(form.collection.length + 1)) ?? [])
      : []
    const batch = batches.get(id)
    if (batch === undefined) return send(call, 404, { error: { message: 'no such path or batch' } })
    if (action === form.cancel) {
      cancelled += 1
      batch.status = 'cancelling'
    } else if (action === '/results' && form.pageOf !== undefined) {
      return send(call, 200, form.pageOf(outputs.get(id), new URL(call.path, 'http://provider').searchParams))
    } else if (action !== undefined) return send(call, 404, { error: { message: 'no such path' } })
    return send(call, 200, objectOf(batch))
  }

  return {
    answer,
    batches,
    /** Purposes of uploads; empty where none was stated. */
    purposes,
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
