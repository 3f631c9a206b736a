import { describe, expect, it } from 'vitest'
import { useScene } from '../support/gateway/scene.ts'
import { chatPath, geminiPath, messagesPath, responsesPath, sent } from '../support/gateway/sent.ts'

/** The order of turns that a provider wants. */

useScene()

const user = (content: unknown) => ({ role: 'user', content })
const call = { id: 'abcdefghi', type: 'function', function: { name: 'f', arguments: '{}' } }
const asked = { role: 'assistant', content: null, tool_calls: [call] }
const result = { role: 'tool', tool_call_id: 'abcdefghi', content: 'done' }
/** In the assistant's name nothing is said. */
const between = { role: 'assistant', content: ' ' }

describe('Mistral', () => {
  it.each([
    [42, 'mistral-large-latest'],
    [8, 'devstral-2512'],
    [20, 'mistralai/devstral-2'],
  ])('at type %i gets an answer between results and the user: %s', async (type, model) => {
    const chat = await sent(type, chatPath, { model, messages: [user('x'), asked, result, user('go on')] })
    expect(chat.body.messages).toMatchObject([user('x'), asked, result, between, user('go on')])
    const ant = await sent(type, messagesPath, {
      model,
      max_tokens: 9,
      messages: [
        user('x'),
        { role: 'assistant', content: [{ type: 'tool_use', id: 'abcdefghi', name: 'f', input: {} }] },
        user([
          { type: 'tool_result', tool_use_id: 'abcdefghi', content: 'done' },
          { type: 'text', text: 'go on' },
        ]),
      ],
    })
    expect(ant.body.messages).toMatchObject([user('x'), asked, result, between, user('go on')])
  })

  it.each([
    [42, 'mistral-large-latest', chatPath],
    [8, 'devstral-2512', chatPath],
    [1, 'magistral-medium-latest', chatPath],
    [40, 'mistralai/Mistral-Small-24B', chatPath],
    [42, 'mistral-large-latest', messagesPath],
    [8, 'devstral-2512', responsesPath],
    [42, 'codestral-latest', geminiPath('codestral-latest')],
  ])('at type %i hears no word that nobody said: %s at %s', async (type, model, path) => {
    const use = { type: 'tool_use', id: 'abcdefghi', name: 'f', input: {} }
    const outcome = { type: 'tool_result', tool_use_id: 'abcdefghi', content: 'done' }
    const bodies: Readonly<Record<string, Record<string, unknown>>> = {
      [chatPath]: { model, messages: [user('x'), asked, result, user('go on')] },
      [messagesPath]: {
        model,
        max_tokens: 9,
        messages: [user('x'), { role: 'assistant', content: [use] }, user([outcome, { type: 'text', text: 'go on' }])],
      },
      [responsesPath]: {
        model,
        input: [
          user('x'),
          { type: 'function_call', call_id: 'abcdefghi', name: 'f', arguments: '{}' },
          { type: 'function_call_output', call_id: 'abcdefghi', output: 'done' },
          user('go on'),
        ],
      },
    }
    const contents = [
      { role: 'user', parts: [{ text: 'x' }] },
      { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { result: 'done' } } }, { text: 'go on' }] },
    ]
    for (const stream of [false, true]) {
      const { body } = await sent(type, path, { ...(bodies[path] ?? { contents }), ...(stream ? { stream } : {}) })
      const turns = (body.messages as unknown as { role: string; content: unknown }[]).map(({ role, content }) => [
        role,
        typeof content === 'string' ? content.trim() : (content ?? ''),
      ])
      expect(turns).toEqual([
        ['user', 'x'],
        ['assistant', ''],
        ['tool', expect.stringContaining('done')],
        ['assistant', ''],
        ['user', 'go on'],
      ])
    }
  })

  it.each([42, 8])(
    'at type %i is told that a last turn of the assistant is the beginning of the answer',
    async (type) => {
      const messages = [user('x'), { role: 'assistant', content: '{' }]
      const begun = [user('x'), { role: 'assistant', content: '{', prefix: true }]
      const model = 'mistral-large-latest'
      expect((await sent(type, chatPath, { model, messages })).body.messages).toEqual(begun)
      expect((await sent(type, messagesPath, { model, max_tokens: 9, messages })).body.messages).toEqual(begun)
      const text = JSON.stringify({ model, messages: begun })
      expect((await sent(type, chatPath, text)).raw).toBe(text)
    },
  )

  it('gets no turn of thoughts alone', async () => {
    const thought = { role: 'assistant', content: '', reasoning_content: 'th' }
    const { body } = await sent(42, chatPath, {
      model: 'mistral-large-latest',
      messages: [user('x'), thought, user('y')],
    })
    expect(body.messages).toEqual([user('x'), user('y')])
  })
})

it('other models get results and the user as they came', async () => {
  const text = JSON.stringify({ model: 'gpt-4o', messages: [user('x'), asked, result, user('go on')] })
  expect((await sent(1, chatPath, text)).raw).toBe(text)
})

describe('calls and results out of step', () => {
  const use = (id: string, name = 'f') => ({ type: 'tool_use', id, name, input: {} })
  const outcome = (id: string, content = 'done') => ({ type: 'tool_result', tool_use_id: id, content })
  const ant = (...messages: object[]) => ({ model: 'm', max_tokens: 9, messages })
  const turnsTo = async (type: number, model: string, path: string, body: Record<string, unknown>) => {
    const { body: got, lost } = await sent({ type, modelMapping: new Map([['m', model]]) }, path, body)
    return { turns: got.messages ?? got.contents ?? got.input, lost }
  }

  it('lose the call that was never answered, and the result that nobody asked for', async () => {
    const messages = ant(
      user('x'),
      { role: 'assistant', content: [{ type: 'text', text: 'Look.' }, use('c1'), use('c2')] },
      user([outcome('c2'), outcome('c9')]),
    )
    const { turns, lost } = await turnsTo(1, 'gpt-4o', messagesPath, messages)
    expect(turns).toEqual([
      user('x'),
      { role: 'assistant', content: 'Look.', tool_calls: [expect.objectContaining({ id: 'c2' })] },
      { role: 'tool', tool_call_id: 'c2', content: 'done' },
    ])
    expect(lost).toEqual(expect.arrayContaining(['messages.tool_call', 'messages.tool_result']))
  })

  it('come right behind the call, one for each', async () => {
    const input = [
      { role: 'user', content: 'x' },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
      { role: 'user', content: 'wait' },
      { type: 'function_call_output', call_id: 'c1', output: 'done' },
      { type: 'function_call_output', call_id: 'c1', output: 'twice' },
    ]
    const { turns } = await turnsTo(24, 'gemini-2.5-flash', responsesPath, { model: 'm', input })
    expect(turns).toMatchObject([
      { role: 'user', parts: [{ text: 'x' }] },
      { role: 'model', parts: [{ functionCall: { name: 'f' } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { result: 'done' } } }, { text: 'wait' }] },
    ])
    const { turns: claude } = await turnsTo(14, 'claude-opus-5-5', responsesPath, { model: 'm', input })
    expect(claude).toMatchObject([
      {},
      { content: [{ type: 'tool_use', id: 'c1' }] },
      { content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'done' }, { text: 'wait' }] },
    ])
  })

  it('have ids of their own where a provider counts anew in each answer', async () => {
    const step = (content: string) => [
      { role: 'assistant', content: null, tool_calls: [{ ...call, id: 'call_0' }] },
      { role: 'tool', tool_call_id: 'call_0', content },
    ]
    const messages = [user('x'), ...step('one'), ...step('two')]
    const { turns, lost } = await turnsTo(14, 'claude-opus-5-5', chatPath, { model: 'm', messages })
    expect(turns).toMatchObject([
      {},
      { content: [{ id: 'call_0' }] },
      { content: [{ tool_use_id: 'call_0', content: 'one' }] },
      { content: [{ id: 'call_0_2' }] },
      { content: [{ tool_use_id: 'call_0_2', content: 'two' }] },
    ])
    expect(lost).toEqual([])
  })

  it('are refused with the reason where the last message holds nothing else', async () => {
    const call = ant(user('x'), { role: 'assistant', content: 'y' }, user([outcome('c9')]))
    const { lost, status } = await sent(25, messagesPath, call).catch(() => ({ lost: [], status: 400 }))
    expect(status).toBe(400)
    expect(lost).toEqual([])
  })
})

it('a conversation without a turn is refused before a provider is asked', async () => {
  const { status } = await sent(14, chatPath, { model: 'm', messages: [] }).catch(() => ({ status: 400 }))
  expect(status).toBe(400)
})
