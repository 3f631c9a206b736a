import type { Recording } from '../../server/test/support/relay/wire.ts'
import type { Question } from './clients.ts'
import type { DialectName } from './dialect-name.ts'
import { type Json, objectAt } from './parsed-answer.ts'

/** A client of the provider's own dialect receives the provider's bytes unchanged. */

const paths: Readonly<Record<Exclude<DialectName, 'gemini'>, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  anthropic: '/v1/messages',
}

const pathOf = (client: DialectName, { model, stream }: Question): string => {
  if (client !== 'gemini') return paths[client]
  const action = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
  return `/v1beta/models/${encodeURIComponent(model)}:${action}`
}

const isUsageOnly = (payload: string): boolean => {
  if (!payload.startsWith('{')) return false
  const { choices, usage } = JSON.parse(payload) as { choices?: unknown[]; usage?: unknown }
  return choices?.length === 0 && usage !== null && usage !== undefined
}

const dataLines = (events: string): string[] =>
  events
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trim())

const ends = /^\{"type":"(message_stop|response\.(completed|incomplete|failed))"/

/** Only the first message counts: one recording holds two, and some mark the end of a response twice. */
const upToEnd = (lines: readonly string[]): string[] => {
  const end = lines.findIndex((line) => ends.test(line.replaceAll(/\s/g, '')))
  return lines.slice(0, end < 0 ? lines.length : end + 1)
}

/** The gateway drops stream usage that the client did not request, and adds a missing end mark. */
const expectedLines = (client: DialectName, { response }: Recording, body: Json): string[] => {
  const lines = dataLines((response.sse ?? []).join('\n'))
  if (client !== 'openai-chat') return upToEnd(lines)
  const wantsUsage = objectAt(body, 'stream_options').include_usage === true
  const kept = lines.filter((line) => wantsUsage || !isUsageOnly(line))
  return kept.includes('[DONE]') ? kept : [...kept, '[DONE]']
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Describes the first difference; undefined if there is none. */
export const differsRaw = async (
  client: DialectName,
  recording: Recording,
  question: Question,
): Promise<string | undefined> => {
  const { url, key, body, stream } = question
  const answer = await fetch(url + pathOf(client, question), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...body, ...(stream && client !== 'gemini' ? { stream: true } : {}) }),
  })
  const text = await answer.text()
  const { status } = recording.response
  // The gateway answers 502 in its own words when a provider refuses the channel's credentials.
  if ((status === 401 || status === 403) && answer.status === 502) return undefined
  if (answer.status !== status) return `status ${answer.status}`
  if (answer.status >= 400) return undefined
  if (recording.response.events !== undefined) return undefined
  if (recording.response.sse === undefined)
    return same(JSON.parse(text), recording.response.body) ? undefined : 'the JSON differs'
  const expected = expectedLines(client, recording, body)
  const got = client === 'openai-chat' ? dataLines(text) : upToEnd(dataLines(text))
  const at = expected.findIndex((line, index) => line !== got[index])
  if (at < 0 && got.length === expected.length) return undefined
  return `line ${at < 0 ? expected.length : at} of ${expected.length}: ${JSON.stringify(got[at < 0 ? expected.length : at])?.slice(0, 200)}`
}
