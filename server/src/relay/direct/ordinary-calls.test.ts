import { describe, expect, it } from 'vitest'
import {
  account,
  call,
  closed,
  idOf,
  open,
  secret,
  useFencedChannel,
} from '../../../test/support/direct/fenced-channel.ts'
import { channel, gateway, useChannels } from '../../../test/support/gateway/scene.ts'

useFencedChannel()

describe('an ordinary call that names a file', () => {
  const chat = (who: string, file: string) =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${who}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'gpt-4o',
        messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: file } }] }],
      }),
    })

  it('goes to the channel where its caller made it, and is refused for everybody else', async () => {
    useChannels(channel({ id: 1 }), open())
    const id = idOf(await call('good', '/v1/files', { body: { text: secret } }))
    account().received.length = 0
    await chat('good', id)
    expect(account().received).toEqual(['POST /v1/chat/completions'])
    const refused = await chat('ben', id)
    expect([refused.status, (await refused.text()).includes('object_not_found')]).toEqual([404, true])
    expect(account().received).toHaveLength(1)
    // The fence outlives the permission.
    useChannels(closed())
    expect((await chat('ben', id)).status).toBe(404)
  })

  it('may go on in the container that an earlier one has made, and nobody else may', async () => {
    const turn = async (who: string, container: unknown) => {
      const tools = [{ type: 'code_interpreter', container }]
      const answer = await fetch(`${gateway.url}/v1/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${who}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-4o', input: 'hi', tools }),
      })
      return [answer.status, await answer.text()] as const
    }
    account().answer = { output: [{ type: 'code_interpreter_call', id: 'ci_1', container_id: 'cntr_1' }] }
    expect((await turn('good', 'cntr_1'))[0]).toBe(404)
    expect((await turn('good', { type: 'auto' }))[0]).toBe(200)
    expect((await turn('good', 'cntr_1'))[0]).toBe(200)
    account().received.length = 0
    expect(await turn('ben', 'cntr_1')).toEqual([404, expect.stringContaining('object_not_found')])
    expect(account().received).toEqual([])
  })

  it('is refused for a file of which nobody knows who made it, where channels may be called directly', async () => {
    expect((await chat('good', 'file-none')).status).toBe(404)
    expect(account().received).toEqual([])
    useChannels(open({ shared: true }))
    await chat('good', 'file-none')
    useChannels(closed())
    await chat('good', 'file-none')
    expect(account().received).toHaveLength(2)
  })
})

describe('an ordinary call that goes on from what a direct call has made', () => {
  const turn = (who: string, more: object) =>
    fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${who}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', input: 'hi', ...more }),
    })

  it('is refused for a response and a conversation of somebody else', async () => {
    useChannels(open())
    const made = idOf(await call('good', '/v1/responses', { body: { model: 'gpt-4o', input: secret } }))
    const thread = idOf(await call('good', '/v1/conversations', { body: { text: secret } }))
    const names = [{ previous_response_id: made }, { conversation: thread }, { conversation: { id: thread } }]
    for (const name of names) {
      account().received.length = 0
      await turn('good', name)
      expect([name, account().received]).toEqual([name, ['POST /v1/responses']])
      const refused = await turn('ben', name)
      expect([name, refused.status]).toEqual([name, 404])
      expect(account().received).toHaveLength(1)
    }
  })
})
