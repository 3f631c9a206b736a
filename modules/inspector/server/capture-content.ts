import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CaptureContent, CapturedBody } from '@tollgate/contract'
import { answerText } from './answer-text.ts'
import type { CapturedCall, KeptAttempt } from './captured-call.ts'
import type { CutRules } from './cut-rules.ts'
import type { KeptBytes } from './kept-bytes.ts'

type HeaderList = [string, string][]

const noBody: CapturedBody = { kind: 'none', text: '', bytes: 0, cut: false }
const longestUrl = 4_000
const mostHeaders = 100

const typeIn = (headers: Iterable<readonly [string, string]>): string =>
  [...headers].find(([name]) => name.toLowerCase() === 'content-type')?.[1].toLowerCase() ?? ''

const kindOf = (type: string, beginning: string): CapturedBody['kind'] => {
  if (type.includes('event-stream')) return 'stream'
  if (type.includes('json')) return 'json'
  if (/^(audio|image|video)\/|octet-stream|form-data|eventstream/.test(type)) return 'binary'
  if (type.startsWith('text/')) return 'text'
  return /^\s*[[{]/.test(beginning) ? 'json' : 'text'
}

/** One body, without secrets. Each takes a turn of the event loop of its own: together they would keep calls waiting. */
const bodyOf = async (kept: KeptBytes, type: string, secret: string, rules: CutRules): Promise<CapturedBody> => {
  if (kept.bytes === 0) return noBody
  await nextTurn()
  const bytes = kept.read()
  const kind = kindOf(type, bytes.toString('latin1', 0, 64))
  const size = { bytes: kept.bytes, cut: kept.cut }
  if (kind === 'binary' || bytes.includes(0)) return { kind: 'binary', text: '', ...size }
  const text = bytes.toString().toWellFormed()
  await nextTurn()
  return { kind, text: rules.body(text, secret), ...size }
}

const pairsOf = (headers: Readonly<Record<string, string | string[] | undefined>>): HeaderList =>
  Object.entries(headers)
    .slice(0, mostHeaders)
    .flatMap(([name, value]): HeaderList => {
      if (value === undefined) return []
      return [[name, typeof value === 'string' ? value : value.join(', ')]]
    })

/** Names and values in turn. */
const pairsIn = (headers: readonly string[]): HeaderList =>
  headers.flatMap((name, index): HeaderList => (index % 2 === 0 ? [[name, headers[index + 1] ?? '']] : []))

const attemptOf = async ({ request, body, answer, status, headers }: KeptAttempt, rules: CutRules) => {
  const sent = pairsOf(request.headers)
  const received = pairsOf(headers)
  const { key, channel } = request
  return {
    channel: channel.id,
    channel_name: channel.name,
    url: rules.body(rules.url(request.url).slice(0, longestUrl), key),
    headers: rules.headers(sent),
    body: await bodyOf(body, typeIn(sent), key, rules),
    status,
    answer_headers: rules.headers(received),
    answer: await bodyOf(answer, typeIn(received), key, rules),
  }
}

/** Contents to store of a call that is over; computed in small steps beside the calls that run. */
export const contentOf = async (captured: CapturedCall, rules: CutRules): Promise<CaptureContent> => {
  const { call } = captured
  const asked: HeaderList = Object.entries(call.passed)
  if (call.accept !== undefined) asked.push(['accept', call.accept])
  const type = call.form?.contentType ?? call.contentType ?? 'application/json'
  const client = {
    path: call.path,
    query: rules.url(call.query),
    headers: rules.headers(asked),
    body: await bodyOf(captured.request, type, '', rules),
  }
  const attempts: CaptureContent['attempts'] = []
  for (const attempt of captured.attempts) attempts.push(await attemptOf(attempt, rules))
  const headers = pairsIn(captured.headers)
  const body = await bodyOf(captured.answer, typeIn(headers), captured.attempts.at(-1)?.request.key ?? '', rules)
  await nextTurn()
  const { text, toolCalls } = answerText(call, body.text, body.kind === 'stream')
  return {
    client,
    attempts,
    answer: { status: captured.status, headers: rules.headers(headers), body },
    text,
    tool_calls: toolCalls,
    unsupported: [...(captured.attempts.at(-1)?.request.unsupported ?? [])],
  }
}
