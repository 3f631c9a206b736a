import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, it } from 'vitest'
import { setLanguage } from '../../../lib/i18n.ts'
import { fakeFetch } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { ChannelsScreen } from '../screen.tsx'
import { answers, channel, openai } from '../testing-channels.ts'
import { ChannelSheet } from './form.tsx'
import { ModelDiffPanel } from './models/model-diff-panel.tsx'

beforeEach(() => setLanguage('zh'))

const openTab = async (name: string): Promise<void> =>
  userEvent.click(await screen.findByRole('tab', { name: new RegExp(`^${name}`) }))

it('adds no model that is there already, and says so', async () => {
  fakeFetch(answers())
  await renderConsole(<ChannelsScreen />, '/channel/add')
  await openTab('模型')
  const custom = await screen.findByLabelText('自定义模型名称')
  await userEvent.type(custom, 'mine, gpt-4o{Enter}')
  expect(await screen.findByText('某些模型已存在！')).toBeTruthy()
  expect(screen.queryByText('mine')).toBeNull()
})

it('says of a service account, too, that an empty field keeps it', async () => {
  const vertex = { ...openai, type: 41, name: 'VertexAi' }
  fakeFetch({
    ...answers(),
    'GET /api/channel/types': () => [openai, vertex],
    'GET /api/channel/1': () => channel({ type: 41, key_hint: 'my-project', other: 'us-central1' }),
    'GET /api/channel/1/keys': () => [],
  })
  await renderConsole(<ChannelSheet id={1} onClose={() => undefined} />)
  const key = await screen.findByRole('textbox', { name: '密钥' })
  expect(key.getAttribute('aria-describedby')).toBeTruthy()
  expect(screen.getByText(/my-project/)).toBeTruthy()
})

it('asks for a key before it fetches the models of a new channel', async () => {
  const sent = fakeFetch(answers())
  await renderConsole(<ChannelsScreen />, '/channel/add')
  await openTab('模型')
  await userEvent.click(await screen.findByRole('button', { name: '获取模型列表' }))
  expect(await screen.findByText('请填写密钥')).toBeTruthy()
  expect(sent.some((call) => call.path === '/api/channel/fetch_models')).toBe(false)
})

it('keeps models that are chosen while a list is compared', async () => {
  const applied: string[][] = []
  const Form = () => {
    const [chosen, setChosen] = useState(['gpt-4o', 'old'])
    return (
      <>
        <button type="button" onClick={() => setChosen([...chosen, 'mine'])}>
          add
        </button>
        <ModelDiffPanel
          chosen={chosen}
          offered={['gpt-4o', 'gpt-5']}
          onApply={(models) => applied.push(models)}
          onClose={() => undefined}
        />
      </>
    )
  }
  await renderConsole(<Form />)
  await userEvent.click(await screen.findByRole('checkbox', { name: 'old' }))
  await userEvent.click(screen.getByRole('button', { name: 'add' }))
  await userEvent.click(screen.getByRole('button', { name: '应用，共 3 个模型' }))
  expect(applied).toEqual([['gpt-4o', 'mine', 'gpt-5']])
})

const offering = () =>
  fakeFetch({
    ...answers(),
    'POST /api/channel/fetch_models': () => ['gpt-4o', 'gpt-5'],
    'GET /api/price_lists/unpriced': ({ query }) =>
      (query.models ?? '').includes('gpt-5') ? [{ model: 'gpt-5', suggestions: [] }] : [],
    'POST /api/channel/': () => ({ ids: [9] }),
    'GET /api/channel/test/9': () => Response.json({ success: true, message: '', time: 0.5 }),
  })
const openForm = async () => {
  await renderConsole(<ChannelsScreen />, '/channel/add')
  await userEvent.click(await screen.findByPlaceholderText('请输入渠道对应的鉴权密钥'))
  await userEvent.paste('sk-new')
  return screen.getByRole('dialog', { name: '创建新的渠道' })
}

it('replaces the untouched default list with what the provider offers, asked with what is not saved yet', async () => {
  const sent = offering()
  const form = await openForm()
  await userEvent.click(within(form).getByLabelText('API地址'))
  await userEvent.paste('https://mine.example/')
  await userEvent.click(within(form).getByRole('button', { name: '连接并读取模型' }))
  expect(await within(form).findByText('密钥可用，提供商提供 2 个模型')).toBeTruthy()
  expect(sent.find((call) => call.method === 'POST')?.body).toMatchObject({
    base_url: 'https://mine.example',
    key: 'sk-new',
  })
  expect(within(form).getByText('将保存 2 个模型')).toBeTruthy()
  await openTab('模型')
  expect(within(form).getByText('已选 2 个')).toBeTruthy()
  expect(within(form).queryByRole('region', { name: '上游模型列表' })).toBeNull()
  expect(await within(form).findByText('1 个模型没有价格')).toBeTruthy()
  await openTab('连接')
  await userEvent.click(within(form).getByLabelText(/^名称( \*)?$/))
  await userEvent.paste('Mine')
  await userEvent.click(within(form).getByRole('button', { name: '保存' }))
  await userEvent.click(await screen.findByRole('button', { name: '测试渠道' }))
  expect(await screen.findByText('渠道 Mine 测试成功，耗时 0.50 秒。')).toBeTruthy()
  expect(sent.find(({ path }) => path === '/api/channel/')?.body).toMatchObject({ models: 'gpt-4o,gpt-5' })
})

it('redirects a model by rows, and says before saving what the provider does not offer', async () => {
  const sent = offering()
  const form = await openForm()
  await userEvent.click(within(form).getByRole('button', { name: '连接并读取模型' }))
  await openTab('模型')
  const rows = await within(form).findByRole('group', { name: '模型重定向' })
  await userEvent.click(within(rows).getByRole('button', { name: '添加一行' }))
  await userEvent.type(within(rows).getByPlaceholderText('请求的模型'), 'gpt-5')
  await userEvent.type(within(rows).getByPlaceholderText('上游的模型'), 'gpt-6')
  expect(within(rows).getByText('提供商的模型列表中没有“gpt-6”')).toBeTruthy()
  await openTab('连接')
  await userEvent.click(within(form).getByLabelText(/^名称( \*)?$/))
  await userEvent.paste('Mine')
  await userEvent.click(within(form).getByRole('button', { name: '保存' }))
  await waitFor(() => {
    const body = sent.find(({ path }) => path === '/api/channel/')?.body as { model_mapping: string } | undefined
    expect(JSON.parse(body?.model_mapping ?? '')).toEqual({ 'gpt-5': 'gpt-6' })
  })
})

it('shows how a list that was touched differs, and leaves out what is not offered', async () => {
  offering()
  const form = await openForm()
  await openTab('模型')
  await userEvent.click(within(form).getByPlaceholderText(/输入自定义模型名称/))
  await userEvent.paste('my-own')
  await userEvent.keyboard('{Enter}')
  await userEvent.click(within(form).getByRole('button', { name: '获取模型列表' }))
  const diff = await within(form).findByRole('region', { name: '上游模型列表' })
  expect(within(diff).getByText('新增 1')).toBeTruthy()
  expect(within(diff).getByText('上游已无 2')).toBeTruthy()
  await userEvent.click(within(diff).getByRole('checkbox', { name: 'my-own' }))
  await userEvent.click(within(diff).getByRole('button', { name: '应用，共 3 个模型' }))
  expect(within(form).getByText('已选 3 个')).toBeTruthy()
})

it('writes slots, the time until the first content and a system prompt into the settings', async () => {
  const sent = offering()
  const form = await openForm()
  await openTab('路由')
  await userEvent.type(within(form).getByLabelText('并发上限'), '4')
  await userEvent.type(within(form).getByLabelText('首个内容的时限（秒）'), '2.5')
  await openTab('高级')
  await userEvent.type(within(form).getByLabelText('系统提示词'), 'be kind')
  await userEvent.click(within(form).getByRole('switch', { name: /^置于客户端的系统提示词之前/ }))
  await openTab('连接')
  await userEvent.click(within(form).getByLabelText(/^名称( \*)?$/))
  await userEvent.paste('Mine')
  await userEvent.click(within(form).getByRole('button', { name: '保存' }))
  await waitFor(() => expect(sent.some(({ path }) => path === '/api/channel/')).toBe(true))
  const setting = { slots: 4, first_content_seconds: 2.5, system_prompt: 'be kind', system_prompt_override: true }
  expect(sent.find(({ path }) => path === '/api/channel/')?.body).toMatchObject({
    setting: JSON.stringify(setting, null, 2),
  })
})

it('leaves the version at the address of a type that takes it', async () => {
  const field = {
    column: 'base_url',
    label: { zh: '服务地址', en: 'Address' },
    placeholder: 'http://localhost:8000/v1',
  }
  const own = { ...openai, type: 1001, name: 'OwnServer', fields: [field] }
  fakeFetch({
    ...answers(),
    'GET /api/channel/types': () => [openai, own],
    'GET /api/channel/1': () => channel({ type: 1001, base_url: 'http://localhost:8000/v1' }),
    'GET /api/channel/1/keys': () => [],
  })
  await renderConsole(<ChannelSheet id={1} onClose={() => undefined} />)
  expect(await screen.findByDisplayValue('http://localhost:8000/v1')).toBeTruthy()
  expect(screen.queryByText(/不需要在末尾加/)).toBeNull()
})
