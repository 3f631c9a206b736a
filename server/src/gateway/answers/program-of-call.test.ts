import { once } from 'node:events'
import { request } from 'node:http'
import { expect, it } from 'vitest'
import { gateway, hi, lastRecord, upstream, useScene } from '../../../test/support/gateway/scene.ts'
import { completion, json } from '../../../test/support/gateway/upstream.ts'

useScene()

/** `fetch` always names itself. */
const askAs = async (
  headers: Readonly<Record<string, string>>,
  body: Readonly<Record<string, unknown>> = hi,
): Promise<void> => {
  upstream.answer = json(completion('hello'))
  const call = request(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json', ...headers },
    agent: false,
  })
  call.end(JSON.stringify(body))
  const [response] = await once(call, 'response')
  response.resume()
  await once(response, 'end')
}

it('the record of a call names the program that made it', async () => {
  await askAs({ 'user-agent': 'claude-cli/2.1.332 (external, cli)' })
  expect(lastRecord()).toMatchObject({ kind: 'charge', other: { client: 'Claude Code' } })
})

it('so does the record of one that is refused', async () => {
  await askAs({ 'user-agent': 'codex_cli_rs/0.171.0 (Debian 13.0.0; x86_64)' }, { model: 'gpt-4o' })
  expect(lastRecord()).toMatchObject({ kind: 'error', other: { client: 'Codex' } })
})

it('nothing is kept where the program says nothing of itself', async () => {
  await askAs({})
  expect(lastRecord()?.kind).toBe('charge')
  expect(lastRecord()?.other).not.toHaveProperty('client')
  await askAs({}, { model: 'gpt-4o' })
  expect(lastRecord()?.kind).toBe('error')
  expect(lastRecord()?.other).not.toHaveProperty('client')
})
