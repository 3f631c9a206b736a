import { describe, expect, it } from 'vitest'
import {
  account,
  addresses,
  call,
  form,
  idOf,
  open,
  secret,
  useFencedChannel,
} from '../../../test/support/direct/fenced-channel.ts'
import { gateway, lastRecord, useChannels } from '../../../test/support/gateway/scene.ts'

useFencedChannel()

describe('what somebody makes by direct calls', () => {
  it.each(addresses)('is there for its maker alone: %s', async (_, address) => {
    const messages = [{ role: 'user', content: secret }]
    const made = await call('good', address, { body: { store: true, model: 'gpt-4o', messages, input: secret } })
    expect(made.status).toBe(200)
    const id = idOf(made)
    expect((await call('good', `${address}/${id}`)).text).toContain(secret)
    expect((await call('good', address)).text).toContain(secret)
    account().received.length = 0
    for (const [method, below] of [
      ['GET', ''],
      ['GET', '/content'],
      ['GET', '/items/1'],
      ['POST', '/cancel'],
      ['POST', ''],
      ['PATCH', ''],
      ['DELETE', ''],
    ] as const) {
      const refused = await call('ben', `${address}/${id}${below}`, { method })
      expect([method, below, refused.status, refused.text.includes(secret)]).toEqual([method, below, 404, false])
    }
    expect(account().received).toEqual([])
    const list = await call('ben', address)
    expect([list.status, list.text.includes(secret), list.text.includes(id)]).toEqual([200, false, false])
    expect((await call('good', `${address}/${id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await call('good', `${address}/${id}`)).status).toBe(404)
  })

  it('costs nothing where it is refused, and has no charge', async () => {
    const id = idOf(await call('good', '/v1/files', { body: { text: secret } }))
    await call('ben', `/v1/files/${id}/content`)
    await call('ben', `/v1/files/${id}/cancel`, { method: 'POST' })
    expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
  })

  it.each([
    ['OpenAI', {}, { error: { code: 'object_not_found', message: expect.stringContaining('file-none') } }],
    ['Anthropic', { 'anthropic-version': '2023-06-01' }, { type: 'error', error: { type: 'not_found_error' } }],
    ['Google', { 'x-goog-api-key': 'sk-good' }, { error: { code: 404, status: 'NOT_FOUND' } }],
  ])('is not found in the words of a client of %s', async (_, headers, expected) => {
    const { status, json } = await call('good', '/v1/files/file-none', { headers })
    expect([status, json]).toMatchObject([404, expected])
  })

  it('is there for nobody where an id is not known, as before', async () => {
    await fetch(`${account().url}/v1/files`, { method: 'POST', body: `{"text":"${secret}"}` })
    expect((await call('good', '/v1/files/file-00000001')).status).toBe(404)
    expect((await call('good', '/v1/files')).text).not.toContain(secret)
  })

  it('belongs to neither where two have made the same id', async () => {
    const id = idOf(await call('good', '/v1/files', { body: {} }))
    gateway.parts.madeObjects.note(
      [{ kind: 'files', id }],
      { userId: 8, tokenId: 0, projectId: 0, memberId: 0 },
      { channelId: 7, key: undefined },
    )
    for (const who of ['good', 'ben'] as const) expect((await call(who, `/v1/files/${id}`)).status).toBe(404)
  })

  it('is the same through another channel with the same key, and not there through one with another', async () => {
    useChannels(open(), open({}, { id: 8 }), open({}, { id: 9, keys: ['sk-other'] }))
    const id = idOf(await call('good', '/v1/files', { body: { text: secret } }))
    expect((await call('good', `/v1/files/${id}`, { channel: 8 })).status).toBe(200)
    expect((await call('ben', `/v1/files/${id}`, { channel: 8 })).status).toBe(404)
    expect((await call('good', `/v1/files/${id}`, { channel: 9 })).status).toBe(404)
  })

  it('is asked for with the key that made it', async () => {
    useChannels(open({}, { keys: ['sk-a', 'sk-b'] }))
    const id = idOf(await call('good', '/v1/files', { body: {} }))
    for (let times = 0; times < 8; times += 1) await call('good', `/v1/files/${id}`)
    const { size } = new Set(account().headers.map(({ authorization }) => authorization))
    expect([account().headers.length, size]).toEqual([9, 1])
  })
})

it('is not found by a query either', async () => {
  const id = idOf(await call('good', '/v1/files', { body: { text: secret } }))
  for (const query of [`file_id=${id}`, `after=${id}`, `x=y&any=${id}`])
    expect([query, (await call('ben', `/v1/batches?${query}`)).status]).toEqual([query, 404])
  expect((await call('good', `/v1/files?after=${id}`)).status).toBe(200)
})

describe('a list', () => {
  it('has what its reader made, byte for byte, and names nothing else', async () => {
    for (const who of ['good', 'ben', 'good', 'ben'] as const) await call(who, '/v1/files', { body: { of: who } })
    const { json, text } = await call('ben', '/v1/files')
    expect(json).toMatchObject({ object: 'list', has_more: false, first_id: 'file-00000004', last_id: 'file-00000002' })
    expect(text).not.toMatch(/good|file-0000000[13]/)
  })

  it('goes on to the page that has something, a bounded number of pages', async () => {
    await call('good', '/v1/batches', { body: { of: 'good' } })
    for (let index = 0; index < 9; index += 1) await call('ben', '/v1/batches', { body: {} })
    const list = await call('good', '/v1/batches?limit=2')
    expect(list.json).toMatchObject({ data: [{ of: 'good' }], has_more: false })
    for (let index = 0; index < 30; index += 1) await call('ben', '/v1/batches', { body: {} })
    account().received.length = 0
    const far = await call('good', '/v1/batches?limit=2')
    expect(far.json).toMatchObject({ data: [], has_more: true, last_id: null })
    expect(account().received).toHaveLength(10)
    expect(far.text).not.toContain('batch_')
  })

  it('in Google’s words is read by its names', async () => {
    await call('good', '/v1beta/files', { body: { text: secret } })
    const own = await call('ben', '/v1beta/files', { body: { text: 'of ben' } })
    const { text, json } = await call('ben', '/v1beta/files')
    expect([text.includes(secret), json.files]).toEqual([false, [(own.json as { file: unknown }).file]])
  })
})

describe('a request that names what somebody else made', () => {
  it('is refused before its provider is asked', async () => {
    const file = idOf(await call('good', '/v1/files', { body: form('{"custom_id":"1"}\n') }))
    const store = idOf(await call('good', '/v1/vector_stores', { body: {} }))
    const requests: readonly (readonly [string, unknown])[] = [
      ['/v1/batches', { input_file_id: file }],
      ['/v1/vector_stores', { file_ids: [file] }],
      ['/v1/fine_tuning/jobs', { training_file: file }],
      ['/v1/assistants', { tool_resources: { file_search: { vector_store_ids: [store] } } }],
      [
        '/v1/responses',
        { model: 'gpt-4o', input: [{ role: 'user', content: [{ type: 'input_file', file_id: file }] }] },
      ],
      [
        '/v1/chat/completions',
        { model: 'gpt-4o', messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: file } }] }] },
      ],
      // An unknown member.
      ['/v1/batches', { something_new: [{ of: file }] }],
      ['/v1/batches', { input_file_id: 'file-that-nobody-made' }],
      ['/v1/responses', { model: 'gpt-4o', input: 'on', previous_response_id: 'resp_none' }],
    ]
    account().received.length = 0
    for (const [path, body] of requests) {
      const { status, text } = await call('ben', path, { body })
      expect([path, status, text.includes('object_not_found') || text.includes('previous_response')]).toEqual([
        path,
        404,
        true,
      ])
    }
    expect(account().received).toEqual([])
    expect((await call('good', '/v1/batches', { body: { input_file_id: file } })).status).toBe(200)
  })

  it('is refused where a line of an uploaded file names it, and only files that were read are inputs of batches', async () => {
    const file = idOf(await call('good', '/v1/files', { body: form('{"custom_id":"1"}\n') }))
    const line = JSON.stringify({ custom_id: '1', body: { input: [{ type: 'input_file', file_id: file }] } })
    account().received.length = 0
    for (const text of [line, `{}\n\n${line}\n`, line.replace('file-', '\\u0066ile-'), `\ufeff${line}`])
      expect((await call('ben', '/v1/files', { body: form(text) })).status).toBe(404)
    expect(account().received).toEqual([])
    // Other splitters find lines in it.
    for (const [text, purpose] of [
      [`{}\u2028${line}`, 'batch'],
      [line, 'user_data'],
    ] as const) {
      const other = await call('ben', '/v1/files', { body: form(text, purpose) })
      expect([purpose, other.status]).toEqual([purpose, 200])
      expect((await call('ben', '/v1/batches', { body: { input_file_id: idOf(other) } })).status).toBe(404)
    }
    const good = await call('ben', '/v1/files', { body: form('{"custom_id":"1"}\n{"custom_id":"2"}') })
    expect((await call('ben', '/v1/batches', { body: { input_file_id: idOf(good) } })).status).toBe(200)
  })

  it('is refused where it hides the name, by an escape, a member that stands twice or a parameter that does', async () => {
    const file = idOf(await call('good', '/v1/files', { body: form('{}') }))
    const own = idOf(await call('ben', '/v1/files', { body: form('{}') }))
    account().received.length = 0
    const send = async (path: string, body: string) => {
      const headers = { authorization: 'Bearer sk-ben', 'content-type': 'application/json' }
      return (await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body })).status
    }
    const content = (named: string) =>
      `{"model":"gpt-4o","messages":[{"role":"user","content":[{"type":"file","file":{${named}}}]}]}`
    for (const path of ['/v1/chat/completions', '/p/7/v1/chat/completions']) {
      expect([path, await send(path, content(`"\\u0066ile\\u005fid":"${file}"`))]).toEqual([path, 404])
      const twice = content(`"file_id":"${file}","file_id":"${own}"`)
      const hidden = content(`"\\u0066ile_id":"${file}","file\\u005fid":1`)
      for (const body of [twice, hidden]) expect([path, await send(path, body)]).toEqual([path, 400])
    }
    expect(await send('/p/7/v1/batches', `{"input_file_id":"${file}","input_file_id":"${own}"}`)).toBe(400)
    expect((await call('ben', `/v1/files?after=${file}&after=${own}`)).status).toBe(404)
    expect(account().received).toEqual([])
    const line = `{"file_id":"${file}","file_id":"${own}"}`
    const twins = idOf(await call('ben', '/v1/files', { body: form(line) }))
    expect((await call('ben', '/v1/batches', { body: { input_file_id: twins } })).status).toBe(404)
  })

  it('is refused where its body cannot be read', async () => {
    const body = new FormData()
    body.set('x', 'y')
    expect((await call('ben', '/v1/batches', { body, headers: { 'content-type': 'application/json' } })).status).toBe(
      400,
    )
    expect(account().received).toEqual([])
  })
})

describe('a model that a fine-tuning job has made', () => {
  const model = 'ft:gpt-4o:org::00000001'
  const tune = async (): Promise<void> => {
    await fetch(`${account().url}/v1/models`, { method: 'POST', body: '{}' })
    await fetch(`${account().url}/v1/models`, { method: 'POST', body: '{}' })
    account().answer = { fine_tuned_model: model, choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }
    const job = await call('good', '/v1/fine_tuning/jobs', { body: { model: 'gpt-4o' } })
    expect((await call('good', `/v1/fine_tuning/jobs/${idOf(job)}`)).text).toContain(model)
    account().received.length = 0
  }
  const hi = (name: string) => ({ model: name, messages: [{ role: 'user', content: 'hi' }] })

  it('is called, read and deleted by who made the job, and by nobody else', async () => {
    await tune()
    for (const name of [model, `${model}:ckpt-step-88`]) {
      expect((await call('ben', '/v1/chat/completions', { body: hi(name) })).status).toBe(404)
      expect((await call('ben', '/v1/fine_tuning/jobs', { body: { model: name } })).status).toBe(404)
      expect((await call('ben', '/v1/files', { body: form(JSON.stringify({ body: hi(name) })) })).status).toBe(404)
      expect((await call('ben', `/v1/models/${name}`)).status).toBe(404)
      expect((await call('ben', `/v1/models/${name}`, { method: 'DELETE' })).status).toBe(404)
    }
    expect(account().received).toEqual([])
    for (const name of [model, `${model}:ckpt-step-88`]) {
      expect((await call('good', '/v1/chat/completions', { body: hi(name) })).status).toBe(200)
      expect((await call('good', '/v1/fine_tuning/jobs', { body: { model: name } })).status).toBe(200)
    }
    expect((await call('good', `/v1/models/${model}`)).json).toMatchObject({ id: model })
    expect((await call('good', `/v1/models/${model}`, { method: 'DELETE' })).status).toBe(200)
    expect((await call('good', '/v1/chat/completions', { body: hi(model) })).status).toBe(404)
  })

  it('is in the list of models for who made it, and others are where the channel offers them', async () => {
    await tune()
    const listed = async (who: 'good' | 'ben') =>
      ((await call(who, '/v1/models')).json.data as { id: string }[]).map(({ id }) => id)
    expect(await listed('good')).toEqual([model])
    expect(await listed('ben')).toEqual([])
    const offered = 'ft:gpt-4o:org::00000002'
    useChannels(open({}, { models: new Set(['gpt-4o', model, offered]) }))
    expect(await listed('ben')).toEqual([offered])
    expect((await call('ben', '/v1/chat/completions', { body: hi(offered) })).status).toBe(200)
    expect((await call('ben', '/v1/chat/completions', { body: hi(model) })).status).toBe(404)
  })

  it('stays with its maker in ordinary calls of a channel that offers it, unless the operator gives it a name', async () => {
    await tune()
    const offered = 'ft:gpt-4o:org::00000002'
    useChannels(open({}, { models: new Set([model, offered, 'ours']), modelMapping: new Map([['ours', model]]) }))
    const chat = async (who: string, name: string) => {
      const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${who}`, 'content-type': 'application/json' },
        body: JSON.stringify(hi(name)),
      })
      return [answer.status, await answer.text()] as const
    }
    expect(await chat('ben', model)).toEqual([404, expect.stringContaining('model_not_found')])
    expect(account().received).toEqual([])
    for (const [who, name] of [
      ['good', model],
      ['ben', offered],
      ['ben', 'ours'],
    ] as const)
      expect([name, (await chat(who, name))[0]]).toEqual([name, 200])
    const models = async (who: string, path = '') =>
      (await fetch(`${gateway.url}/v1/models${path}`, { headers: { authorization: `Bearer sk-${who}` } })).text()
    expect([(await models('good')).includes(model), (await models('ben')).includes(model)]).toEqual([true, false])
    expect(await models('ben', `/${model}`)).toContain('model_not_found')
    useChannels(open({ shared: true }, { models: new Set([model]) }))
    expect((await chat('ben', model))[0]).toBe(200)
  })
})

it('files that a batch names as its own are its maker’s', async () => {
  const input = idOf(await call('good', '/v1/files', { body: form('{}') }))
  const batch = await call('good', '/v1/batches', { body: { input_file_id: input, text: secret } })
  const output = String(batch.json.output_file_id)
  expect((await call('good', `/v1/files/${output}/content`)).text).toContain(secret)
  expect((await call('ben', `/v1/files/${output}/content`)).status).toBe(404)
})

it('what nobody can tell apart is passed where all is shared, and all is shared then', async () => {
  const id = idOf(await call('good', '/v1/files', { body: { text: secret } }))
  for (const path of ['/v1/things', '/v1/organization/usage', '/v1/files;a=b'])
    expect((await call('good', path)).text).toContain('passthrough_unfenced')
  useChannels(open({ shared: true }))
  expect((await call('ben', '/v1/things')).status).toBe(200)
  expect((await call('ben', `/v1/files/${id}`)).text).toContain(secret)
  expect((await call('ben', '/v1/files')).text).toContain(secret)
  // Objects created while the channel was shared have an owner when it is no longer shared.
  const other = idOf(await call('ben', '/v1/files', { body: {} }))
  useChannels(open())
  expect((await call('ben', `/v1/files/${other}`)).status).toBe(200)
  expect((await call('good', `/v1/files/${other}`)).status).toBe(404)
})

it('keys against doubled calls are those of their maker', async () => {
  const headersSent: unknown[] = []
  const headers = { 'idempotency-key': 'order-1' }
  for (const who of ['good', 'ben', 'good'] as const) {
    await call(who, '/v1/files', { body: {}, headers })
    headersSent.push(account().headers.at(-1)?.['idempotency-key'])
  }
  expect(headersSent[0]).toBe(headersSent[2])
  expect(new Set([...headersSent, 'order-1']).size).toBe(3)
})
