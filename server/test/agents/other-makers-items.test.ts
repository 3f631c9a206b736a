import { describe, expect, it } from 'vitest'
import { openaiResponsesDialect } from '../../src/dialects/openai-responses/dialect.ts'
import { useScene } from '../support/gateway/scene.ts'
import { responsesPath, sent } from '../support/gateway/sent.ts'

/** Items and tools of Responses that only one maker reads, at the others. */

useScene()

const user = { role: 'user', content: 'x' }

describe('arguments that Codex wants encrypted', () => {
  const message = { type: 'string', description: 'The task', encrypted: true }
  const schema = (value: object) => ({ type: 'object', properties: { message: value }, required: ['message'] })
  const tools = [
    { type: 'function', name: 'spawn_agent', strict: false, parameters: schema(message) },
    {
      type: 'namespace',
      name: 'collaboration',
      description: '',
      tools: [{ type: 'function', name: 'send_message', strict: false, parameters: schema(message) }],
    },
  ]

  it.each([
    [14, 'claude-opus-5-5'],
    [24, 'gemini-3-pro'],
    [43, 'deepseek-v4-pro'],
    [33, 'claude-opus-4-8'],
    [34, 'command-a'],
    [4, 'llama'],
    [47, 'local'],
    [1, 'deepseek-v4-pro'],
  ])('are plain at type %i for %s', async (type, model) => {
    const keys = type === 33 ? ['AK|SK|us-east-1'] : ['k']
    const { raw } = await sent({ type, keys }, responsesPath, { model, input: 'x', tools })
    expect(raw).toContain('"The task"')
    expect(raw).not.toContain('"encrypted"')
  })

  it('stay as they came for OpenAI’s models', async () => {
    const text = JSON.stringify({ model: 'gpt-6.1-sol', input: 'x', tools })
    expect((await sent(1, responsesPath, text)).raw).toBe(text)
  })

  it('a member that is called so is a member', async () => {
    const own = { type: 'object', properties: { encrypted: { type: 'boolean' } } }
    const offered = [{ type: 'function', name: 'zip', strict: false, parameters: own }]
    const { raw } = await sent(14, responsesPath, { model: 'claude-opus-5-5', input: 'x', tools: offered })
    expect(raw).toContain('"encrypted":{"type":"boolean"}')
  })
})

describe('reasoning with its text in `content`', () => {
  const content = [{ type: 'reasoning_text', text: 'th' }]
  const thought = { type: 'reasoning', id: 'rs_1', summary: [], content }
  const answer = { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'a' }] }

  it('is left out at OpenAI, and the answer behind it has no name', async () => {
    const call = {
      model: 'gpt-5.2',
      store: false,
      input: [user, { ...thought, encrypted_content: null }, answer, user],
    }
    const { body, lost } = await sent(1, responsesPath, call)
    const { id: _, ...unnamed } = answer
    expect(body.input).toEqual([user, unnamed, user])
    expect(lost).toEqual(['messages.thinking'])
  })

  it('loses its text where OpenAI can read the rest', async () => {
    const sealed = { ...thought, encrypted_content: 'gAAAAx' }
    const { body, lost } = await sent(1, responsesPath, { model: 'gpt-5.2', input: [user, sealed, answer, user] })
    const { content: _, ...rest } = sealed
    expect(body.input).toEqual([user, rest, answer, user])
    expect(lost).toEqual([])
  })

  it('stays as it came where it is accepted', async () => {
    const empty = { ...thought, content: [] }
    const openai = JSON.stringify({ input: [empty, user], model: 'gpt-5.2' })
    expect((await sent(1, responsesPath, openai)).raw).toBe(openai)
    const engine = JSON.stringify({ input: [thought, user], model: 'local' })
    expect((await sent({ type: 1001, other: 'responses' }, responsesPath, engine)).raw).toBe(engine)
  })
})

describe('sealed items before the last summary', () => {
  const compaction = (seal: string) => ({ type: 'compaction', id: `cmp_${seal}`, encrypted_content: seal })
  const reasoning = (seal: string) => ({ type: 'reasoning', id: `rs_${seal}`, summary: [], encrypted_content: seal })
  const input = [user, compaction('one'), reasoning('two'), compaction('three'), reasoning('four'), user]
  const { seals } = openaiResponsesDialect

  it('bind the conversation to no account', () => {
    expect(seals?.in({ input })).toEqual(['three', 'four'])
    expect(seals?.in({ input: [compaction('one'), user] })).toEqual(['one'])
  })

  it('are left out where some cannot be read', () => {
    expect(seals?.without({ input }, (seal) => seal !== 'three')).toEqual({ input: [user, compaction('three'), user] })
    expect(seals?.without({ input }, () => false).input).toEqual([user, ...input.slice(3)])
  })
})
