import { describe, expect, it } from 'vitest'
import { account, call, idOf, secret, useFencedChannel } from '../../../test/support/direct/fenced-channel.ts'
import { gateway } from '../../../test/support/gateway/scene.ts'

useFencedChannel()

describe('an upload in parts', () => {
  const send = async (who: 'good' | 'ben', query: string, headers: Readonly<Record<string, string>>, body: string) => {
    const answer = await fetch(`${gateway.url}/p/7/upload/v1beta/files${query}`, {
      method: 'POST',
      headers: { 'x-goog-api-key': `sk-${who}`, ...headers },
      body,
    })
    return { status: answer.status, address: answer.headers.get('x-goog-upload-url') ?? '', text: await answer.text() }
  }
  const begin = async (who: 'good' | 'ben'): Promise<string> => {
    const headers = { 'content-type': 'application/json', 'x-goog-upload-command': 'start' }
    const { status, address } = await send(who, '', headers, '{"file":{"displayName":"input"}}')
    expect([status, address]).toEqual([200, expect.stringContaining(`${gateway.url}/p/7/upload/v1beta/files?`)])
    return new URL(address).search
  }
  const part = (who: 'good' | 'ben', query: string, command: string, offset: number, body: string) =>
    send(who, query, { 'x-goog-upload-command': command, 'x-goog-upload-offset': String(offset) }, body)
  const batchOf = (who: 'good' | 'ben', text: string) =>
    call(who, '/v1beta/models/gemini-2:batchGenerateContent', {
      body: { batch: { input_config: { file_name: (JSON.parse(text) as { file: { name: string } }).file.name } } },
    })

  it('goes on for who began it alone, and what it makes is theirs', async () => {
    const query = await begin('good')
    expect((await part('ben', query, 'upload, finalize', 0, '{}')).status).toBe(404)
    expect((await part('ben', `${query}&upload_id=other`, 'upload, finalize', 0, '{}')).status).toBe(404)
    const { status, text } = await part('good', query, 'upload, finalize', 0, `{"key":"${secret}"}\n{}`)
    expect([status, text]).toEqual([200, expect.stringContaining(secret)])
    const { name } = (JSON.parse(text) as { file: { name: string } }).file
    expect((await call('good', `/v1beta/${name}`)).status).toBe(200)
    expect((await call('ben', `/v1beta/${name}`)).status).toBe(404)
    expect((await batchOf('good', text)).status).toBe(200)
    expect((await batchOf('ben', text)).status).toBe(404)
  })

  it('names what is in its lines, and is the input of a batch only where it came at once', async () => {
    const file = idOf(await call('good', '/v1/files', { body: { text: secret } }))
    const line = JSON.stringify({ request: { contents: [{ parts: [{ file_id: file }] }] } })
    expect((await part('ben', await begin('ben'), 'upload, finalize', 0, line)).status).toBe(404)
    const inParts = await begin('ben')
    expect((await part('ben', inParts, 'upload', 0, line.slice(0, 60))).status).toBe(200)
    const done = await part('ben', inParts, 'upload, finalize', 60, line.slice(60))
    expect([done.status, (await batchOf('ben', done.text)).status]).toEqual([200, 404])
    // Providers keep the bytes that came first.
    const overlapping = await begin('ben')
    await part('ben', overlapping, 'upload', 0, line.slice(0, 60))
    const covered = await part('ben', overlapping, 'upload, finalize', 0, '{}')
    expect([covered.status, (await batchOf('ben', covered.text)).status]).toEqual([200, 404])
  })

  it('is no way around the fence for other bodies', async () => {
    const file = idOf(await call('good', '/v1/files', { body: { text: secret } }))
    const headers = { 'x-goog-upload-command': 'upload', 'x-goog-upload-offset': '0' }
    const query = await begin('ben')
    account().received.length = 0
    for (const path of ['/v1/batches', `/v1/batches${query}`, '/v1/responses', `/upload/v1beta/files`])
      expect([
        path,
        (await call('ben', path, { body: { model: 'gpt-4o', input: 'hi', file_id: file }, headers })).status,
      ]).toEqual([path, 404])
    expect(account().received).toEqual([])
  })
})
