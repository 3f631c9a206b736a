import { parentPort } from 'node:worker_threads'
import { loadPromptReader } from '../../billing/counting/prompt.ts'
import { AppError } from '../../lib/app-error.ts'
import { exceededBound } from '../../lib/json/json-bounds.ts'
import { surveyOf } from '../../relay/usage/body-survey.ts'
import { batchesOf, type ListBatch } from './batches.ts'
import type { BatchAnswer, ParseAnswer, ParseRequest, ThreadRequest } from './body-parser.ts'
import { parsedObject } from './parsed-body.ts'

/** The thread that parses large bodies: it answers each request with one message. */

let waiting: ListBatch[] = []

const parsed = async (
  raw: Buffer,
  { reader, pathModel, words }: ParseRequest,
): Promise<Omit<ParseAnswer & { kind: 'parsed' }, 'bytes'>> => {
  const body = parsedObject(raw.toString())
  const model = typeof body.model === 'string' && body.model !== '' ? body.model : pathModel
  const survey = surveyOf({ raw, body, text: undefined, model }, await loadPromptReader(reader), words)
  const { head, batches } = batchesOf(body)
  waiting = batches
  return { kind: 'parsed', body: head, batches: batches.length, survey }
}

const answerTo = async (request: ParseRequest): Promise<ParseAnswer> => {
  const { bytes, start, bounds } = request
  const raw = Buffer.from(bytes, start)
  const exceeded = exceededBound(raw, bounds)
  if (exceeded !== undefined) return { kind: 'exceeded', exceeded }
  try {
    return { ...(await parsed(raw, request)), bytes }
  } catch (error) {
    if (error instanceof AppError) return { kind: 'malformed', detail: String(error.params.detail) }
    throw error
  }
}

parentPort?.on('message', async (request: ThreadRequest) => {
  if (request.kind === 'parse') {
    const answer = await answerTo(request)
    parentPort?.postMessage(answer, answer.kind === 'parsed' ? [answer.bytes] : [])
    return
  }
  const batch = waiting.shift()
  if (batch !== undefined) parentPort?.postMessage(batch satisfies BatchAnswer)
})
