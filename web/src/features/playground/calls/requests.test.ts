import { describe, expect, it } from 'vitest'
import type { ChatMessage } from '../conversation/message.ts'
import { defaultSettings } from '../settings.ts'
import { callKindOf, kindIn, kindsOf } from './call-kinds.ts'
import { requestOf } from './requests.ts'

const message = (role: ChatMessage['role'], content: string): ChatMessage => ({
  id: content,
  role,
  content,
  createAt: 0,
  status: 'complete',
  parent: null,
})
const conversation = [message('user', 'a dog'), message('assistant', 'there'), message('user', 'a cat')]

describe('the kind of call', () => {
  it('follows the endpoints of the model, and is a conversation where nothing is known', () => {
    expect(callKindOf(undefined)).toBe('chat')
    expect(callKindOf({ kind: '', endpoints: [] })).toBe('chat')
    expect(callKindOf({ kind: 'image', endpoints: ['/v1/images/generations'] })).toBe('image')
    expect(callKindOf({ kind: 'chat', endpoints: ['/v1/messages', '/v1/chat/completions'] })).toBe('chat')
    expect(callKindOf({ kind: 'realtime', endpoints: ['/v1/realtime'] })).toBeUndefined()
  })

  it('is the one that the person chose, for the model in use alone', () => {
    const kinds = kindsOf([
      { model: 'painter', kind: 'image', endpoints: ['/v1/images/generations'] },
      { model: 'film', kind: 'video', endpoints: [] },
      { model: 'talker', kind: 'chat', endpoints: ['/v1/chat/completions'] },
    ])
    const chosen = { model: 'painter', kind: 'chat' } as const
    expect(kindIn(kinds, 'painter', chosen)).toBe('chat')
    expect(kindIn(kinds, 'painter', { model: 'talker' })).toBe('image')
    expect(kindIn(kinds, 'talker', chosen)).toBe('chat')
    expect(kindIn(kinds, 'film', chosen)).toBeUndefined()
    expect(kindIn(kinds, 'unknown', chosen)).toBe('chat')
  })
})

describe('a request for pictures', () => {
  const settings = { ...defaultSettings, size: '1536x1024', quality: 'high', pictures: 3 }

  it('has the last question as its prompt, with what the model knows', () => {
    expect(requestOf('image', settings, conversation, 'gpt-image-1')).toEqual({
      kind: 'image',
      path: '/v1/images/generations',
      body: { model: 'gpt-image-1', group: '', prompt: 'a cat', n: 3, size: '1536x1024', quality: 'high' },
    })
  })

  it('leaves out what the model does not know, and draws no more than it can', () => {
    const { body } = requestOf('image', settings, conversation, 'openai/dall-e-3')
    expect(body).toEqual({ model: 'openai/dall-e-3', group: '', prompt: 'a cat', response_format: 'b64_json' })
  })

  it('takes any size for a model that is not known', () => {
    const { body } = requestOf('image', { ...defaultSettings, size: ' 768x768 ' }, conversation, 'my-painter')
    expect(body).toEqual({ model: 'my-painter', group: '', prompt: 'a cat', size: '768x768' })
  })
})

it('asks for speech, vectors, ranks and judgements as their endpoints want it', () => {
  const bodyOf = (kind: 'speech' | 'embedding' | 'rerank' | 'moderation', text: string) =>
    requestOf(kind, { ...defaultSettings, model: 'm', voice: ' nova ' }, [message('user', text)]).body
  expect(bodyOf('speech', 'Hi')).toEqual({ model: 'm', group: '', input: 'Hi', voice: 'nova' })
  expect(bodyOf('embedding', 'Hi')).toEqual({ model: 'm', group: '', input: 'Hi' })
  expect(bodyOf('moderation', 'Hi')).toEqual({ model: 'm', group: '', input: 'Hi' })
  const documents = ['first', 'second']
  expect(bodyOf('rerank', 'Rome?\n\n first\nsecond')).toEqual({ model: 'm', group: '', query: 'Rome?', documents })
})
