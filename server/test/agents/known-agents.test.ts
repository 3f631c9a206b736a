import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { anthropicDialect } from '../../src/dialects/anthropic/dialect.ts'
import type { Dialect } from '../../src/dialects/dialect.ts'
import { openaiChatDialect } from '../../src/dialects/openai-chat/dialect.ts'
import { openaiResponsesDialect } from '../../src/dialects/openai-responses/dialect.ts'
import { sessionOf } from '../../src/relay/sessions/session-of.ts'
import { message } from '../support/gateway/dialects.ts'
import { channel, gateway, lastRecord, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'

/**
 * The first two calls of a conversation of agents that name themselves in no header, as they were received from the programs:
 * long texts are cut, one long tool stands for theirs, folders and keys are others.
 */

useScene()

interface Captured {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

const file = join(import.meta.dirname, 'captured/agent-calls.json')
const captured = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, readonly Captured[]>>

const schema = { type: 'object', properties: {} }
const described = { name: 'read_file', description: 'Reads a file. '.repeat(200) }

/** A tool as the language of the path has it. */
const toolAt = (path: string): object => {
  if (path.includes('/messages')) return { ...described, input_schema: schema }
  if (path.includes('/responses')) return { type: 'function', ...described, parameters: schema }
  return { type: 'function', function: { ...described, parameters: schema } }
}

const dialectAt = (path: string): Dialect =>
  path.includes('/messages')
    ? anthropicDialect
    : path.includes('/responses')
      ? openaiResponsesDialect
      : openaiChatDialect

const send = async ({ path, headers, body }: Captured): Promise<{ client: unknown; session: string | undefined }> => {
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { ...headers, authorization: 'Bearer sk-good' },
    body: JSON.stringify({ ...body, model: 'gpt-4o', stream: false, stream_options: undefined, tools: [toolAt(path)] }),
  })
  expect(response.status, await response.text()).toBe(200)
  return {
    client: lastRecord()?.other.client,
    session: sessionOf({ scope: 'user 7', headers, body, dialect: dialectAt(path), size: 50_000 })?.id,
  }
}

const elsewhere = ({ body, ...call }: Captured): Captured => ({
  ...call,
  body: JSON.parse(
    JSON.stringify(body)
      .replaceAll('Do what notes.txt says.', 'Mend the tests.')
      .replaceAll(/"[0-9a-f]{32}"/g, '"another"'),
  ),
})

it.each([
  ['copilot-responses', 'Copilot CLI'],
  ['copilot-chat', 'Copilot CLI'],
  ['copilot-messages', 'Copilot CLI'],
  ['pi', 'pi'],
  ['cline', 'Cline'],
  ['qwen-code', 'Qwen Code'],
])('calls of %s are those of %s, and of one session', async (name, program) => {
  useChannels(channel({ type: 14 }))
  upstream.answer = json(message)
  const [first, second] = captured[name] ?? []
  if (first === undefined || second === undefined) return expect.fail()
  const begun = await send(first)
  expect(begun).toEqual({ client: program, session: expect.stringMatching(/^[0-9a-f]{16}$/) as string })
  expect(await send(second)).toEqual(begun)
  const other = await send(elsewhere(first))
  expect(other.client).toBe(program)
  expect(other.session).not.toBe(begun.session)
})
