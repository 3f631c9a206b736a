import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { textOfLine } from './provider.ts'

/** Jobs of which a client has an answer: they must not be lost. */
export interface Acknowledged {
  readonly batches: string[]
  readonly videos: string[]
  readonly answers: { readonly id: string; readonly requestId: string }[]
  readonly files: { readonly id: string; readonly digest: string }[]
}

export interface JobLoad {
  readonly acknowledged: Acknowledged
  /** Calls without an answer: their job may be there or not. */
  readonly unanswered: Readonly<Record<keyof Acknowledged, number>>
  /** Of those, the ones that a node refused, by their status: they have made no job. */
  readonly refused: Readonly<Record<string, number>>
  /** Resolves when the next upload has sent half of its file. */
  halfUploaded(): Promise<void>
  /** Resolves when no call is under way. */
  stop(): Promise<void>
}

export const linesOfBatch = 32
const fileBytes = 700_000
/** Milliseconds between two jobs of a kind. */
const paces = { batches: 4_000, videos: 1_200, answers: 700, files: 2_500 } as const
const patienceMs = 30_000

const requests = (name: string): string =>
  Array.from({ length: linesOfBatch }, (_, index) =>
    JSON.stringify({
      custom_id: `line-${index + 1}`,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: 'gpt-4o', messages: [{ role: 'user', content: textOfLine(name, index + 1, linesOfBatch) }] },
    }),
  ).join('\n')

const formOf = (purpose: string, bytes: Buffer | string): FormData => {
  const form = new FormData()
  form.set('purpose', purpose)
  form.set('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), 'a.jsonl')
  return form
}

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Makes jobs of every kind at nodes that may be killed at any time, until it is stopped. */
export const startJobs = (urls: readonly string[], key: string): JobLoad => {
  const acknowledged: Acknowledged = { batches: [], videos: [], answers: [], files: [] }
  const unanswered = { batches: 0, videos: 0, answers: 0, files: 0 }
  const refused: Record<string, number> = {}
  let stopped = false
  let half = Promise.withResolvers<void>()
  let made = 0

  const ask = async (path: string, init: RequestInit): Promise<Response> => {
    const url = urls[Math.floor(Math.random() * urls.length)] ?? ''
    const answer = await fetch(url + path, {
      method: 'POST',
      signal: AbortSignal.timeout(patienceMs),
      ...init,
      // A kept connection may lead to a process that was killed meanwhile.
      headers: { authorization: `Bearer ${key}`, connection: 'close', ...init.headers },
    })
    if (answer.ok) return answer
    refused[answer.status] = (refused[answer.status] ?? 0) + 1
    throw new Error(`${path}: ${answer.status}`)
  }
  const sendJson = (path: string, body: object): Promise<Response> =>
    ask(path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  const idOf = async (answer: Response): Promise<string> => ((await answer.json()) as { id: string }).id

  const makers: Readonly<Record<keyof Acknowledged, () => Promise<void>>> = {
    async batches() {
      made += 1
      const input = await idOf(await ask('/v1/files', { body: formOf('batch', requests(`batch-${made}`)) }))
      const asked = { input_file_id: input, endpoint: '/v1/chat/completions', completion_window: '24h' }
      acknowledged.batches.push(await idOf(await sendJson('/v1/batches', asked)))
    },
    async videos() {
      const asked = { model: 'sora-2', prompt: 'A gate opens.', seconds: '4', size: '720x1280' }
      acknowledged.videos.push(await idOf(await sendJson('/v1/videos', asked)))
    },
    async answers() {
      const answer = await sendJson('/v1/responses', { model: 'gpt-4o', input: 'Say done.', background: true })
      const requestId = answer.headers.get('x-oneapi-request-id') ?? ''
      acknowledged.answers.push({ id: await idOf(answer), requestId })
    },
    async files() {
      const bytes = randomBytes(fileBytes)
      const whole = new Uint8Array(await new Response(formOf('user_data', bytes)).arrayBuffer())
      const boundary = Buffer.from(whole.subarray(2, whole.indexOf(13))).toString()
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          controller.enqueue(whole.subarray(0, whole.length / 2))
          half.resolve()
          half = Promise.withResolvers()
          await wait(200)
          controller.enqueue(whole.subarray(whole.length / 2))
          controller.close()
        },
      })
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
      // The types of browsers do not have the member that Node asks for.
      const streamed: RequestInit & { readonly duplex: 'half' } = { body, headers, duplex: 'half' }
      acknowledged.files.push({ id: await idOf(await ask('/v1/files', streamed)), digest: digestOf(bytes) })
    },
  }

  const work = async (kind: keyof Acknowledged): Promise<void> => {
    while (!stopped) {
      try {
        await makers[kind]()
      } catch {
        unanswered[kind] += 1
      }
      await wait(paces[kind] * (0.5 + Math.random()))
    }
  }
  const working = Promise.all((Object.keys(makers) as (keyof Acknowledged)[]).map(work))
  return {
    acknowledged,
    unanswered,
    refused,
    halfUploaded: () => half.promise,
    async stop() {
      stopped = true
      await working
    },
  }
}
