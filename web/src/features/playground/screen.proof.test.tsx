import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionStore, storeUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { type FakeAnswer, fakeFetch } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { PlaygroundScreen } from './screen.tsx'

// A busy machine takes longer than the second that is assumed.
configure({ asyncUtilTimeout: 10_000 })

let userId = 100
const events = (...payloads: unknown[]): Response =>
  new Response(`${payloads.map((payload) => `data: ${JSON.stringify(payload)}\n\n`).join('')}data: [DONE]\n\n`, {
    headers: { 'content-type': 'text/event-stream', 'x-oneapi-request-id': 'req_1' },
  })
const text = (content: string) => ({ choices: [{ delta: { content } }] })
const answers: Record<string, FakeAnswer> = {
  'GET /api/user/models': () => ['gpt-4o-mini', 'gpt-4o'],
  'GET /api/user/self/groups': () => ({ vip: { desc: 'VIP', ratio: 4 }, default: { desc: '默认', ratio: 1 } }),
  'GET /api/models/cards': () => [
    { model: 'gpt-4o', kind: 'chat', endpoints: ['/v1/chat/completions'] },
    { model: 'gpt-image-1', kind: 'image', endpoints: ['/v1/images/generations'] },
    { model: 'whisper-1', kind: 'transcription', endpoints: ['/v1/audio/transcriptions'] },
  ],
  'GET /api/pricing/estimate': () => [{ group: 'default', group_ratio: 1, quota: 20_000, quota_per_day: 20_000 }],
  'GET /api/log/self': () => ({ items: [{ type: 2, quota: 2500 }], total: 1, page: 1, page_size: 10 }),
  'POST /pg/chat/completions': () =>
    events(
      { choices: [{ delta: { reasoning_content: 'hmm' } }] },
      text('It is **open**.\n\n```ts\nconst gate = 1\n```'),
      { choices: [], usage: { prompt_tokens: 20, completion_tokens: 50 } },
    ),
}

beforeEach(() => {
  setLanguage('zh')
  // A person of its own for each test: conversations outlive the screen.
  userId += 1
  storeUser({ id: userId, username: 'alice', display_name: '', role: 1, status: 1, group: 'default' })
})
afterEach(() => sessionStore.set(undefined))

const write = async (words: string): Promise<void> => {
  await userEvent.type(screen.getByRole('textbox', { name: /^输入消息/ }), `${words}{Enter}`)
}
const log = () => within(screen.getByRole('log'))
const start = async (more: Record<string, FakeAnswer> = {}, path = '/playground') => {
  const sent = fakeFetch({ ...answers, ...more })
  const view = await renderConsole(<PlaygroundScreen />, path)
  await waitFor(() => expect(screen.getByRole<HTMLInputElement>('combobox', { name: '模型' }).value).not.toBe(''))
  return { ...view, sent, completions: () => sent.filter(({ path }) => path === '/pg/chat/completions') }
}

describe('the playground', () => {
  it('greets with what the model is for, sends no system prompt of its own, and shows the answer with reasoning, code and figures', async () => {
    const { completions, container } = await start()
    expect(await log().findByText(/^向 .+ 提问，开始对话。$/)).toBeTruthy()
    await write('Which gate?')
    expect((await log().findByText('open')).tagName).toBe('STRONG')
    await waitFor(() => expect(container.querySelector('pre .hljs-keyword')?.textContent).toBe('const'))
    expect(log().getByText('hmm').closest('details')?.open).toBe(false)
    expect(log().getByText(/20 输入 · 50 输出/)).toBeTruthy()
    const [call] = completions()
    expect(call?.headers.get('new-api-user')).toBe(String(userId))
    expect(call?.headers.get('content-type')).toBe('application/json')
    expect(call?.body).toMatchObject({ model: 'gpt-4o-mini', stream: true, temperature: 0 })
    expect(JSON.stringify(call?.body)).not.toContain('"system"')
    const charge = await log().findByRole('link', { name: /查看账单/ })
    expect(charge.textContent).toBe('$0.005000')
    expect(charge.getAttribute('href')).toContain('req_1')
  })

  it('shows what has no text: tools that are called, pictures to be saved, and that nothing came', async () => {
    const call = { index: 0, function: { name: 'get_weather', arguments: '{"city":"Paris"}' } }
    const image = { image_url: { url: 'data:image/jpeg;base64,AA' } }
    const bodies = [[{ choices: [{ delta: { tool_calls: [call], images: [image] } }] }], [{ choices: [] }]]
    await start({ 'POST /pg/chat/completions': () => events(...(bodies.shift() ?? [])) })
    await write('weather')
    expect((await log().findByText('get_weather')).tagName).toBe('STRONG')
    expect(log().getByText(/"city": "Paris"/)).toBeTruthy()
    expect(
      log()
        .getByRole('link', { name: /^图片 1/ })
        .getAttribute('download'),
    ).toBe('image-1.jpg')
    expect(log().queryByText('（回答为空）')).toBeNull()
    await write('nothing')
    expect(await log().findByText('（回答为空）')).toBeTruthy()
  })

  it('sends a model that draws what is to be drawn, says the price before, and shows the pictures', async () => {
    const drawn = () =>
      Response.json({ data: [{ b64_json: 'iVBORw0' }] }, { headers: { 'x-oneapi-request-id': 'req_2' } })
    const offered = { 'GET /api/user/models': () => ['gpt-4o', 'gpt-image-1'], 'POST /pg/images/generations': drawn }
    const { sent } = await start(offered, '/playground?model=gpt-image-1')
    expect(await screen.findByText(/预计 \$0\.040000/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: '添加图片' })).toBeNull()
    await userEvent.type(screen.getByRole('textbox', { name: /^描述/ }), 'a cat{Enter}')
    expect((await log().findByRole('link', { name: /图片 1/ })).getAttribute('download')).toBe('image-1.png')
    const call = sent.find(({ path }) => path === '/pg/images/generations')
    expect(call?.body).toEqual({ model: 'gpt-image-1', group: '', prompt: 'a cat' })
    expect(await log().findByRole('link', { name: /查看账单/ })).toBeTruthy()
  })

  it('says how a model is called that cannot be tried here', async () => {
    await start({ 'GET /api/user/models': () => ['gpt-4o', 'whisper-1'] }, '/playground?model=whisper-1')
    const hint = await screen.findByRole('region', { name: /whisper-1/ })
    expect(hint.textContent).toContain('/v1/audio/transcriptions')
    expect(within(hint).getByRole('link', { name: '查看模型详情' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: '发送' })).toBeNull()
  })

  it('lets a question be edited, and both versions be looked at', async () => {
    const { completions } = await start()
    await write('one')
    await log().findByText('open')
    await userEvent.click(log().getByRole('button', { name: '编辑' }))
    const editor = log().getByRole('textbox', { name: '编辑' })
    await userEvent.clear(editor)
    await userEvent.type(editor, 'two')
    await userEvent.click(log().getByRole('button', { name: '保存并重新发送' }))
    await waitFor(() => expect(completions()).toHaveLength(2))
    expect(await log().findByText('2 / 2')).toBeTruthy()
    await userEvent.click(log().getByRole('button', { name: '上一个版本' }))
    expect(log().getByText('one')).toBeTruthy()
    expect(log().queryByText('two')).toBeNull()
  })

  it('answers again, deletes and gives back', async () => {
    const { completions } = await start()
    await write('one')
    await log().findByText('open')
    await userEvent.click(log().getByRole('button', { name: '重新生成' }))
    await waitFor(() => expect(completions()).toHaveLength(2))
    expect(await log().findByText('2 / 2')).toBeTruthy()
    await userEvent.click((await log().findAllByRole('button', { name: '删除' }))[1] as HTMLElement)
    expect(await screen.findByText('已删除')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '撤销' }))
    expect(await log().findByText('2 / 2')).toBeTruthy()
  })

  it('shows an error inside the stream below what came before', async () => {
    await start({ 'POST /pg/chat/completions': () => events(text('half an answer'), { error: { message: 'broke' } }) })
    await write('one')
    const alert = await log().findByRole('alert')
    expect(alert.textContent).toContain('broke')
    expect(alert.textContent).not.toContain('half')
    expect(await log().findByText('half an answer')).toBeTruthy()
    expect(alert.closest('li')?.dataset.status).toBe('error')
  })

  it('says what the server says when models cannot be loaded', async () => {
    fakeFetch({
      ...answers,
      'GET /api/user/models': () => Response.json({ success: false, message: '无法加载模型' }),
    })
    await renderConsole(<PlaygroundScreen />, '/playground')
    expect(await screen.findByText('无法加载模型')).toBeTruthy()
  })

  it('says that no model can be called yet where none is offered', async () => {
    fakeFetch({ ...answers, 'GET /api/user/models': () => [] })
    await renderConsole(<PlaygroundScreen />, '/playground')
    expect(await log().findByText(/还没有可用的模型/)).toBeTruthy()
    expect(log().queryByText('你好')).toBeNull()
  })

  it('asks for a model when the chosen one is not offered, and keeps what was written', async () => {
    const sent = fakeFetch({ ...answers, 'GET /api/user/models': () => ['o3', 'o4'] })
    await renderConsole(<PlaygroundScreen />, '/playground')
    await waitFor(() => expect(sent.some(({ path }) => path === '/api/user/models')).toBe(true))
    await write('one')
    expect(await screen.findByText('请选择模型')).toBeTruthy()
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^输入消息/ }).value).toBe('one')
    expect(sent.some(({ path }) => path.startsWith('/pg'))).toBe(false)
  })

  it('asks the only model that is offered', async () => {
    const { completions } = await start({ 'GET /api/user/models': () => ['o3'] })
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>('combobox', { name: '模型' }).value).toBe('o3'))
    await write('Hi')
    await waitFor(() => expect(completions().map(({ body }) => body)).toMatchObject([{ model: 'o3' }]))
  })

  it('goes back to the own group, and compares no model, when what was chosen is not offered any more', async () => {
    const settings = { group: 'gone', model: 'gpt-4o', compare: ['left-1', 'gpt-4o-mini'] }
    localStorage.setItem('playground', JSON.stringify({ user: userId, settings }))
    const { completions } = await start()
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>('combobox', { name: '分组' }).value).toBe('默认'))
    await write('Hi')
    await waitFor(() => expect(completions()).toHaveLength(2))
    const bodies = completions().map(({ body }) => body as { group: string; model: string })
    expect(bodies.map(({ group }) => group)).toEqual(['', ''])
    expect(bodies.map(({ model }) => model)).toEqual(['gpt-4o', 'gpt-4o-mini'])
  })

  it('takes the model and the group that a link names', async () => {
    const { router } = await start({}, '/playground?model=gpt-4o&group=vip')
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: '模型' }).value).toBe('gpt-4o')
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>('combobox', { name: '分组' }).value).toBe('VIP'))
    await waitFor(() => expect(router.latestLocation.search).toEqual({}))
  })

  it('puts the own group first and remembers presets and settings for this person alone', async () => {
    await start()
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: '分组' }).value).toBe('默认')
    const prompt = screen.getByRole('textbox', { name: '系统提示词' })
    await userEvent.clear(prompt)
    await userEvent.type(prompt, 'Be brief.')
    await userEvent.click(screen.getByRole('button', { name: '保存为预设' }))
    await userEvent.type(screen.getByRole('textbox', { name: '预设名称' }), 'Brief{Enter}')
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: '提示词预设' }).value).toBe('Brief')
    expect(JSON.parse(localStorage.getItem('playground') ?? '{}')).toMatchObject({
      user: userId,
      presets: [{ name: 'Brief', system: 'Be brief.' }],
    })
    storeUser({ id: userId + 1000, username: 'bob', display_name: '', role: 1, status: 1, group: 'default' })
    await waitFor(() =>
      expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: '系统提示词' }).value).not.toBe('Be brief.'),
    )
  })

  it('keeps conversations and begins new ones', async () => {
    await start()
    await write('first question')
    await log().findByText('open')
    await userEvent.click(screen.getByRole('button', { name: '清除上下文' }))
    expect(await log().findByText(/^向 .+ 提问，开始对话。$/)).toBeTruthy()
    await userEvent.click(screen.getByText('历史'))
    await userEvent.click(await screen.findByRole('button', { name: /^first question/ }))
    expect(await log().findByText('open')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '删除对话「first question」' }))
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '删除' }))
    expect(await screen.findByText('还没有对话')).toBeTruthy()
  })

  it('stops when asked to', async () => {
    const stopped = vi.fn()
    await start()
    vi.stubGlobal('fetch', (_address: string, { signal }: RequestInit) => {
      signal?.addEventListener('abort', stopped)
      const never = new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(text('growing'))}\n\n`))
          signal?.addEventListener('abort', () => controller.error(new DOMException('stopped', 'AbortError')))
        },
      })
      return Promise.resolve(new Response(never, { headers: { 'content-type': 'text/event-stream' } }))
    })
    await write('one')
    expect(await log().findByText('growing')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '停止' }))
    expect(stopped).toHaveBeenCalledOnce()
    expect(await log().findByText(/已停止/)).toBeTruthy()
    expect(log().getByText('growing')).toBeTruthy()
  })
})
