import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../../lib/api/api.ts'
import type { PlaygroundRequest } from '../calls/requests.ts'
import type { AnswerListeners } from '../calls/send.ts'
import { defaultSettings } from '../settings.ts'
import { type Chat, type ChatParts, createChat } from './chat.ts'
import { turnsOf } from './conversation.ts'
import { openMemoryHistory } from './history.ts'
import type { AnswerPiece, ChatMessage } from './message.ts'

interface Running {
  readonly body: PlaygroundRequest['body']
  readonly path: string
  readonly signal: AbortSignal
  say(piece: AnswerPiece): void
  start(requestId: string): void
  end(): void
  fail(error: Error): void
}

/** A provider whose answers the test writes. */
const provider = () => {
  const calls: Running[] = []
  const send = (
    { body, path }: PlaygroundRequest,
    { onPiece, onStart }: AnswerListeners,
    signal: AbortSignal,
  ): Promise<void> =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('stopped', 'AbortError')))
      calls.push({ body, path, signal, say: onPiece, start: (id) => onStart?.(id), end: resolve, fail: reject })
    })
  return { calls, send }
}

const open = async (more: Partial<ChatParts> = {}) => {
  const { calls, send } = provider()
  const history = openMemoryHistory()
  const frames: (() => void)[] = []
  const parts: ChatParts = {
    history: Promise.resolve(history),
    kept: { settings: defaultSettings, presets: [] },
    keep: vi.fn(),
    send,
    chargeOf: async () => undefined,
    nextFrame: (act) => void frames.push(act),
    now: () => 0,
    ...more,
  }
  const chat = createChat(parts)
  await vi.waitFor(() => expect(chat.store.get().ready).toBe(true))
  const draw = (): void => {
    for (const act of frames.splice(0)) act()
  }
  return { chat, calls, history, parts, frames, draw }
}

const path = (chat: Chat): ChatMessage[] => turnsOf(chat.store.get().conversation).map((turn) => turn.message)
const call = (calls: readonly Running[], index: number): Running => {
  const found = calls[index]
  if (!found) throw new Error(`no call ${index}`)
  return found
}
const idle = (chat: Chat) => vi.waitFor(() => expect(chat.store.get().busy).toBe(false))

describe('an answer', () => {
  it('is drawn once per frame however many pieces came', async () => {
    const { chat, calls, frames, draw } = await open()
    chat.send('Hi', [])
    expect(path(chat).map(({ role, status }) => [role, status])).toEqual([
      ['user', 'complete'],
      ['assistant', 'loading'],
    ])
    const drawn = vi.fn()
    chat.store.subscribe(drawn)
    for (let count = 0; count < 500; count += 1) call(calls, 0).say({ kind: 'text', text: 'x' })
    expect([drawn.mock.calls.length, frames.length]).toEqual([0, 1])
    draw()
    expect(drawn).toHaveBeenCalledOnce()
    expect(path(chat)[1]).toMatchObject({ status: 'incomplete', content: 'x'.repeat(500) })
    call(calls, 0).end()
    await idle(chat)
    expect(path(chat)[1]?.status).toBe('complete')
  })

  it('keeps what came when the person stops it', async () => {
    const { chat, calls } = await open()
    chat.send('Hi', [])
    call(calls, 0).say({ kind: 'text', text: 'half' })
    chat.stop()
    await idle(chat)
    expect(path(chat)[1]).toMatchObject({ status: 'complete', stopped: true, content: 'half' })
  })

  it('shows the text of a refusal, and reports when the server does not answer', async () => {
    const { chat, calls } = await open()
    chat.send('Hi', [])
    call(calls, 0).fail(new ApiError('用户额度不足', { code: 'x', status: 403, requestId: 'req_9' }))
    await idle(chat)
    expect(path(chat)[1]).toMatchObject({ status: 'error', content: '用户额度不足', requestId: 'req_9' })
    chat.resend(path(chat)[0]?.id ?? '')
    call(calls, 1).fail(new TypeError('Failed to fetch'))
    await idle(chat)
    expect(path(chat)[1]?.content).toContain('无法连接到服务器')
  })

  it('learns what it was charged from the log', async () => {
    const { chat, calls } = await open({ chargeOf: async (id) => (id === 'req_7' ? 42 : undefined) })
    chat.send('Hi', [])
    call(calls, 0).start('req_7')
    call(calls, 0).end()
    await vi.waitFor(() => expect(path(chat)[1]?.quota).toBe(42))
  })
})

it('notes the charge of an answer in its conversation, also when another one has been opened', async () => {
  const { chat, calls, history } = await open({ chargeOf: async () => 7 })
  chat.send('Hi', [])
  const { id } = chat.store.get().conversation
  call(calls, 0).start('req_7')
  chat.clear()
  await vi.waitFor(async () =>
    expect((await history.read(id))?.messages.at(-1)).toMatchObject({ quota: 7, requestId: 'req_7', stopped: true }),
  )
})

describe('a conversation in two windows', () => {
  const openTwo = async () => {
    const history = openMemoryHistory()
    const first = await open({ history: Promise.resolve(history) })
    first.chat.send('Hi', [])
    call(first.calls, 0).end()
    await idle(first.chat)
    const { id } = first.chat.store.get().conversation
    await vi.waitFor(async () => expect((await history.read(id))?.messages).toHaveLength(2))
    const second = await open({ history: Promise.resolve(history) })
    await second.chat.open(id)
    return { history, id, first, second }
  }
  const ask = async ({ chat, calls }: Awaited<ReturnType<typeof open>>, text: string): Promise<void> => {
    chat.send(text, [])
    const exchange = calls.at(-1)
    exchange?.say({ kind: 'text', text: `to ${text}` })
    exchange?.end()
    await idle(chat)
  }
  const textsIn = (messages: readonly ChatMessage[] | undefined): (string | undefined)[] =>
    (messages ?? []).map(({ content }) => content).toSorted()

  it('loses nothing that either of them wrote, and shows it as another version', async () => {
    const { history, id, first, second } = await openTwo()
    await ask(first, 'one')
    await ask(second, 'two')
    await ask(first, 'three')
    const all = ['', 'Hi', 'one', 'three', 'to one', 'to three', 'to two', 'two']
    await vi.waitFor(async () => expect(textsIn((await history.read(id))?.messages)).toEqual(all))
    await vi.waitFor(() => expect(textsIn(first.chat.store.get().conversation.messages)).toEqual(all))
    expect(path(first.chat).map(({ content }) => content)).toEqual(['Hi', '', 'one', 'to one', 'three', 'to three'])
    expect(turnsOf(first.chat.store.get().conversation)[2]).toMatchObject({ version: 1, versions: 2 })
  })

  it('does not bring back what one of them deleted itself', async () => {
    const { history, id, first, second } = await openTwo()
    await ask(first, 'one')
    first.chat.remove(path(first.chat)[2]?.id ?? '')
    await ask(second, 'two')
    await ask(first, 'three')
    await vi.waitFor(async () =>
      expect(textsIn((await history.read(id))?.messages)).toEqual(['', 'Hi', 'three', 'to three', 'to two', 'two']),
    )
  })

  it('leaves the end of an answer to the window in which it grows', async () => {
    const { history, id, first, second } = await openTwo()
    first.chat.send('one', [])
    call(first.calls, 1).say({ kind: 'text', text: 'half' })
    first.draw()
    await vi.waitFor(async () => expect((await history.read(id))?.messages).toHaveLength(4))
    await second.chat.open(id)
    call(first.calls, 1).say({ kind: 'text', text: ' and whole' })
    call(first.calls, 1).end()
    await idle(first.chat)
    await ask(second, 'two')
    await vi.waitFor(async () => {
      const kept = (await history.read(id))?.messages
      expect(kept?.find(({ content }) => content === 'half and whole')).toMatchObject({ status: 'complete' })
      expect(kept).toHaveLength(6)
    })
  })
})

describe('the conversation', () => {
  it('sends the messages of the chosen path', async () => {
    const { chat, calls } = await open()
    chat.send('one', [])
    call(calls, 0).say({ kind: 'text', text: 'first' })
    call(calls, 0).end()
    await idle(chat)
    chat.resend(path(chat)[0]?.id ?? '', 'two')
    expect(call(calls, 1).body.messages).toEqual([{ role: 'user', content: 'two' }])
    call(calls, 1).end()
    await idle(chat)
    chat.step(path(chat)[0]?.id ?? '', -1)
    expect(path(chat).map(({ content }) => content)).toEqual(['one', 'first'])
  })

  it('asks all compared models at once and goes on with the chosen answer', async () => {
    const { chat, calls } = await open()
    chat.setSettings({ compare: ['gpt-4o', 'gpt-4o-mini'] })
    chat.send('Hi', [])
    expect(calls.map(({ body }) => body.model)).toEqual(['gpt-4o-mini', 'gpt-4o'])
    call(calls, 0).end()
    call(calls, 1).say({ kind: 'text', text: 'better' })
    call(calls, 1).end()
    await idle(chat)
    const [, second] = turnsOf(chat.store.get().conversation)[1]?.beside ?? []
    chat.choose(second?.id ?? '')
    chat.setSettings({ compare: [] })
    chat.send('more', [])
    expect(JSON.stringify(call(calls, 2).body.messages)).toContain('better')
  })

  it('is there again after a reload, with an unfinished answer ended', async () => {
    let now = 0
    const { chat, calls, history, parts, draw } = await open({ now: () => now })
    chat.send('Hi', ['data:image/png;base64,AA'])
    call(calls, 0).say({ kind: 'text', text: 'half' })
    now += 2000
    draw()
    const { id } = chat.store.get().conversation
    await vi.waitFor(async () => expect((await history.read(id))?.messages.at(-1)?.content).toBe('half'))
    expect(parts.keep).toHaveBeenLastCalledWith(expect.objectContaining({ open: id }))
    const again = await open({
      history: Promise.resolve(history),
      kept: { settings: defaultSettings, presets: [], open: id },
    })
    expect(path(again.chat)).toMatchObject([
      { content: 'Hi', images: ['data:image/png;base64,AA'] },
      { content: 'half', status: 'complete', stopped: true },
    ])
  })

  it('begins anew without losing the old one, which can be opened and deleted', async () => {
    const { chat, calls, history } = await open()
    chat.send('Hi', [])
    call(calls, 0).say({ kind: 'text', text: 'half' })
    chat.clear()
    expect(call(calls, 0).signal.aborted).toBe(true)
    expect(path(chat)).toEqual([])
    await vi.waitFor(() => expect(chat.store.get().summaries.map(({ title }) => title)).toEqual(['Hi']))
    const [summary] = chat.store.get().summaries
    await chat.open(summary?.id ?? '')
    expect(path(chat)[1]).toMatchObject({ content: 'half', status: 'complete', stopped: true })
    await chat.forget(summary?.id ?? '')
    expect([path(chat), await history.list()]).toEqual([[], []])
  })

  it('gives back what was deleted', async () => {
    const { chat, calls } = await open()
    chat.send('Hi', [])
    call(calls, 0).end()
    await idle(chat)
    chat.remove(path(chat)[0]?.id ?? '')
    expect(path(chat)).toEqual([])
    chat.undo()
    expect(path(chat)).toHaveLength(2)
    expect(chat.store.get().undo).toBeUndefined()
  })
})
