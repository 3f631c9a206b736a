import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { batchModel, textOfLine } from './provider.ts'

/** Jobs of which a client has an answer: they must be there at the end. */
export interface Acknowledged {
  readonly batches: string[]
  /** Batches whose provider makes their lines, without and with a deadline. */
  readonly providerBatches: string[]
  readonly timedBatches: string[]
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
const fileBytes = 2_500_000
const filePieces = 5
const pieceMs = 80
/** Of a batch with a deadline: so long that its provider is the cheapest way. */
const deadline = '12h'
/** Milliseconds between two jobs of a kind. */
const paces = {
  batches: 4_000,
  providerBatches: 5_000,
  timedBatches: 5_000,
  videos: 1_200,
  answers: 700,
  files: 2_500,
} as const
const usualKinds: readonly (keyof Acknowledged)[] = ['batches', 'videos', 'answers', 'files']
/** With batches that a provider makes. */
export const allKinds: readonly (keyof Acknowledged)[] = [...usualKinds, 'providerBatches', 'timedBatches']
const patienceMs = 30_000

const requests = (name: string, model: string): string =>
  Array.from({ length: linesOfBatch }, (_, index) =>
    JSON.stringify({
      custom_id: `line-${index + 1}`,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model, messages: [{ role: 'user', content: textOfLine(name, index + 1, linesOfBatch) }] },
    }),
  ).join('\n')

const formOf = (purpose: string, bytes: Buffer | string): FormData => {
  const form = new FormData()
  form.set('purpose', purpose)
  form.set('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), 'a.jsonl')
  return form
}

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Makes jobs of these kinds at nodes that may be killed at any time, until it is stopped. */
export const startJobs = (urls: readonly string[], key: string, kinds = usualKinds): JobLoad => {
  const acknowledged: Acknowledged = {
    batches: [],
    providerBatches: [],
    timedBatches: [],
    videos: [],
    answers: [],
    files: [],
  }
  const unanswered = { batches: 0, providerBatches: 0, timedBatches: 0, videos: 0, answers: 0, files: 0 }
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
  const sendJson = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
    ask(path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } })
  const idOf = async (answer: Response): Promise<string> => ((await answer.json()) as { id: string }).id

  const makeBatch = async (model: string, headers?: Record<string, string>): Promise<string> => {
    made += 1
    const input = await idOf(await ask('/v1/files', { body: formOf('batch', requests(`batch-${made}`, model)) }))
    const asked = { input_file_id: input, endpoint: '/v1/chat/completions', completion_window: '24h' }
    return idOf(await sendJson('/v1/batches', asked, headers))
  }

  const makers: Readonly<Record<keyof Acknowledged, () => Promise<void>>> = {
    async batches() {
      acknowledged.batches.push(await makeBatch('gpt-4o'))
    },
    async providerBatches() {
      acknowledged.providerBatches.push(await makeBatch(batchModel))
    },
    async timedBatches() {
      acknowledged.timedBatches.push(await makeBatch(batchModel, { 'x-tollgate-deadline': deadline }))
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
          const length = Math.ceil(whole.length / filePieces)
          for (let piece = 0; piece < filePieces; piece += 1) {
            controller.enqueue(whole.subarray(piece * length, (piece + 1) * length))
            if (piece === Math.floor(filePieces / 2)) {
              half.resolve()
              half = Promise.withResolvers()
            }
            await wait(pieceMs)
          }
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
  const working = Promise.all(kinds.map(work))
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
