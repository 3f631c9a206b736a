import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { PricePreview } from '../../../lib/api/contract.ts'
import { storeUser } from '../../../lib/api/session.ts'
import { setLanguage } from '../../../lib/i18n.ts'
import { type FakeAnswer, fakeFetch, refused, type Sent } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { allSections, keysOf, optionOf, type Section } from '../registry.ts'
import { standardOf } from '../saving/problem.ts'
import { useSaving } from '../saving/save.ts'
import { type Stored, useStored } from '../saving/stored.ts'
import { SectionCard } from '../section-card.tsx'
import { SettingsContext, useSettingsState } from '../settings-state.ts'
import { SavingPreview, usePreviewedSaving } from './prices-save.tsx'

const plainKeys = allSections.flatMap((section) => keysOf(section, 100)).filter((key) => !optionOf(key).secret)

const priceMaps: Readonly<Record<string, unknown>> = {
  ModelPrice: { 'draw-1': 0.04 },
  ModelRatio: { 'gpt-4o': 1.25, own: 0.75 },
  CompletionRatio: { own: 2 },
  CacheRatio: { own: 0.5 },
  AudioRatio: { own: 4, 'only-heard': 8 },
  AudioCompletionRatio: { own: 2 },
}

const preview: PricePreview = {
  models: [
    {
      model: 'own',
      enabled: true,
      before: { ratio: 0.75, completion_ratio: 2, cache_ratio: 0.5 },
      after: { ratio: 1.5, completion_ratio: 2, cache_ratio: 0.5 },
    },
    { model: 'unset-1', enabled: false, after: { price: 0.1, ratio: 37.5, completion_ratio: 1, cache_ratio: 1 } },
  ],
  groups: [{ group: 'vip', before: 1, after: 0.8 }],
  tools: [{ key: 'web_search:grok*', before: 5 }],
  tiers: [{ key: 'flex', before: 0.5, after: 0.4 }],
  quota_per_unit: { before: 500_000, after: 500_000 },
  traffic: {
    basis: 'receipts',
    from: 1,
    to: 2,
    receipts: 1200,
    without_receipt: 3,
    calls: 1203,
    charged: 500_000,
    current: 500_000,
    proposed: 750_000,
    models: [{ model: 'own', calls: 1200, charged: 500_000, current: 500_000, proposed: 750_000 }],
  },
}

const item = (model_name: string, priced: boolean) => ({ model_name, priced, enable_groups: ['default'] })

const prices = allSections.find(({ name }) => name === 'prices') as Section

/** The card of the prices as the settings screen draws it; the whole screen is much larger. */
const Card = ({ stored, role }: { stored: Stored; role: number }) => {
  const settings = useSettingsState(stored, role)
  const saving = useSaving(settings)
  const previewed = usePreviewedSaving(settings, saving.save)
  return (
    <SettingsContext value={settings}>
      <SectionCard section={prices} found={undefined} busy={saving.busy} onSave={previewed.save} />
      <SavingPreview {...previewed} />
    </SettingsContext>
  )
}
const PriceCard = ({ role }: { role: number }) => {
  const { data } = useStored()
  return data ? <Card stored={data} role={role} /> : null
}

/** A server that stores the saved options, and the price card. */
const open = async (path = '/', options: { role?: number; answers?: Record<string, FakeAnswer> } = {}) => {
  const role = options.role ?? 100
  storeUser({ id: 1, username: 'root', display_name: '', role, status: 1, group: 'default' })
  const values = new Map(plainKeys.map((key) => [key, standardOf(key)]))
  for (const [key, map] of Object.entries(priceMaps)) values.set(key, JSON.stringify(map, null, 2))
  const sent = fakeFetch({
    'GET /api/option/': () =>
      Response.json({
        success: true,
        data: [...values].filter(([key]) => optionOf(key).see <= role).map(([key, value]) => ({ key, value })),
        stored_secrets: [],
      }),
    'PUT /api/option/batch': ({ body }) => {
      for (const { key, value } of (body as { changes: { key: string; value: string }[] }).changes)
        values.set(key, value)
      return { refused: [] }
    },
    'GET /api/pricing': () =>
      Response.json({
        success: true,
        data: [item('gpt-4o', true), item('own', true), item('unset-1', false), item('unset-2', false)],
        group_ratio: { default: 1 },
        usable_group: { default: '' },
      }),
    'POST /api/option/completion_rules': ({ body }) =>
      (body as { models: string[] }).models.map((model) => ({
        model,
        value: model === 'gpt-4o' ? 4 : 1,
      })),
    'POST /api/option/price_preview': () => preview,
    ...options.answers,
  })
  await renderConsole(<PriceCard role={role} />, path)
  await screen.findByRole('tablist', { name: '价格设置方式' })
  return { sent, values }
}

const saves = (sent: readonly Sent[]) => sent.filter(({ method }) => method === 'PUT').map(({ body }) => body)
const map = (values: ReadonlyMap<string, string>, key: string): unknown => JSON.parse(values.get(key) ?? '')
/** The card's panel alone: the screen around it is large, and looking through all of it takes its time. */
const panel = () => within(document.getElementById('price-panel') ?? document.body)
const field = (name: string) => panel().findByLabelText<HTMLInputElement>(name)
/** By its words or its name: looking for roles is slow on a long screen. */
const press = async (name: string): Promise<void> => {
  const named = document.querySelector(`button[aria-label="${name}"]`)
  const button = named ?? screen.getByText(name, { selector: 'button, button *' })
  await userEvent.click(button)
}
const fill = async (name: string, text: string): Promise<HTMLInputElement> => {
  const input = await field(name)
  fireEvent.change(input, { target: { value: text } })
  fireEvent.keyDown(input, { key: 'Enter' })
  return input
}
/** Saves the card: the preview is looked at, then confirmed. */
const save = async (): Promise<HTMLElement> => {
  await press('保存：模型倍率设置')
  const dialog = await screen.findByRole('dialog', { name: /保存前预览/ })
  const confirm = await within(dialog).findByRole<HTMLButtonElement>('button', { name: '确认保存' })
  await waitFor(() => expect(confirm.disabled).toBe(false))
  return confirm
}

beforeEach(() => {
  setLanguage('zh')
})

describe('the visual editor', () => {
  it('shows prices per million tokens and keeps them as ratios', async () => {
    const { sent, values } = await open('/?prices=visual')
    expect((await field('输入价格 / 1M：own')).value).toBe('1.5')
    expect((await field('输出价格 / 1M：own')).value).toBe('3')
    expect((await field('缓存输入 / 1M：own')).value).toBe('0.75')
    await fill('输入价格 / 1M：own', '3')
    expect((await field('输出价格 / 1M：own')).value).toBe('3')
    await fill('输出价格 / 1M：own', '12')
    await fill('缓存输入 / 1M：own', '0.3')
    await userEvent.click(await save())
    await screen.findByText('保存成功')
    expect(map(values, 'ModelRatio')).toEqual({ 'gpt-4o': 1.25, own: 1.5 })
    expect(map(values, 'CompletionRatio')).toEqual({ own: 4 })
    expect(map(values, 'CacheRatio')).toEqual({ own: 0.1 })
    expect(saves(sent)).toHaveLength(1)
  })

  it('shows prices of sound and keeps them as ratios, each relative to the one before', async () => {
    const { values } = await open('/?prices=visual')
    expect(panel().queryByLabelText('音频输入 / 1M：own')).toBeNull()
    await press('列')
    for (const name of ['音频输入 / 1M', '音频输出 / 1M'])
      await userEvent.click(await screen.findByRole('checkbox', { name }))
    await press('完成')
    expect((await field('音频输入 / 1M：own')).value).toBe('6')
    expect((await field('音频输出 / 1M：own')).value).toBe('12')
    // Without figures of its own, audio costs the same as text: input 2.5, output 10.
    expect((await field('音频输入 / 1M：gpt-4o')).placeholder).toBe('2.5')
    expect((await field('音频输出 / 1M：gpt-4o')).placeholder).toBe('10')
    expect(panel().queryByText('only-heard')).toBeNull()
    await fill('音频输入 / 1M：own', '3')
    expect((await field('音频输出 / 1M：own')).value).toBe('12')
    await fill('输入价格 / 1M：own', '3')
    expect((await field('音频输入 / 1M：own')).value).toBe('3')
    await fill('音频输出 / 1M：own', '6')
    await fill('音频输入 / 1M：gpt-4o', '40')
    await userEvent.click(await save())
    await screen.findByText('保存成功')
    expect(map(values, 'AudioRatio')).toEqual({ own: 1, 'only-heard': 8, 'gpt-4o': 16 })
    expect(map(values, 'AudioCompletionRatio')).toEqual({ own: 2 })
  })

  it('shows the same figures as ratios', async () => {
    await open('/?prices=visual&unit=ratio')
    expect((await field('模型倍率：own')).value).toBe('0.75')
    expect((await field('补全倍率：own')).value).toBe('2')
    expect((await field('缓存倍率：gpt-4o')).placeholder).toBe('1')
  })

  it('shows what price lists say where nothing is set, and makes a ratio of what is typed over it', async () => {
    const listed = { ...item('listed', true), quota_type: 0, model_ratio: 2, completion_ratio: 5, cache_ratio: 0.1 }
    const { values } = await open('/?prices=visual', {
      answers: {
        'GET /api/pricing': () =>
          Response.json({ success: true, data: [listed], group_ratio: { default: 1 }, usable_group: { default: '' } }),
        'POST /api/option/completion_rules': ({ body }) =>
          (body as { models: string[] }).models.map((model) => ({ model, value: 5 })),
      },
    })
    const input = await field('输入价格 / 1M：listed')
    await waitFor(() => expect([input.value, input.placeholder]).toEqual(['', '4']))
    expect((await field('缓存输入 / 1M：listed')).placeholder).toBe('0.4')
    await fill('输出价格 / 1M：listed', '40')
    await userEvent.click(await save())
    await screen.findByText('保存成功')
    expect(map(values, 'CompletionRatio')).toMatchObject({ listed: 10 })
    expect(map(values, 'ModelRatio')).not.toHaveProperty('listed')
  })

  it('switches the ratios off where a fixed price is set, and completion ratios nowhere else', async () => {
    const { values } = await open('/?prices=visual')
    expect((await field('输入价格 / 1M：draw-1')).disabled).toBe(true)
    await waitFor(async () => expect((await field('输出价格 / 1M：gpt-4o')).placeholder).toBe('10'))
    expect((await field('输出价格 / 1M：gpt-4o')).disabled).toBe(false)
    expect((await field('输入价格 / 1M：own')).disabled).toBe(false)
    await fill('模型固定价格：own', '0.02')
    expect((await field('输入价格 / 1M：own')).disabled).toBe(true)
    await userEvent.click(await save())
    await screen.findByText('保存成功')
    expect(map(values, 'ModelPrice')).toEqual({ 'draw-1': 0.04, own: 0.02 })
  })

  it('refuses what is no number, and Escape brings the old one back', async () => {
    await open('/?prices=visual')
    const input = await fill('输入价格 / 1M：own', 'abc')
    expect(await screen.findByText('请输入数字')).toBeTruthy()
    await userEvent.type(input, '{Escape}')
    expect(input.value).toBe('1.5')
    expect(screen.queryByText('请输入数字')).toBeNull()
  })

  it('adds a model by price, and none that is there already', async () => {
    const { values } = await open('/?prices=visual')
    await press('添加模型')
    const dialog = within(await screen.findByRole('dialog', { name: '添加模型' }))
    await userEvent.type(dialog.getByLabelText('模型名称'), 'own')
    await userEvent.type(dialog.getByLabelText('输入价格 / 1M'), 'x')
    await userEvent.click(dialog.getByRole('button', { name: '添加' }))
    expect(dialog.getByText('模型名称已存在')).toBeTruthy()
    expect(dialog.getByText('请输入数字')).toBeTruthy()
    await userEvent.type(dialog.getByLabelText('模型名称'), '-2')
    await userEvent.clear(dialog.getByLabelText('输入价格 / 1M'))
    await userEvent.type(dialog.getByLabelText('输入价格 / 1M'), '0.3')
    await userEvent.type(dialog.getByLabelText('输出价格 / 1M'), '1.2')
    await userEvent.click(dialog.getByRole('button', { name: '添加' }))
    expect((await field('输入价格 / 1M：own-2')).value).toBe('0.3')
    await userEvent.click(await save())
    await screen.findByText('保存成功')
    expect(map(values, 'ModelRatio')).toMatchObject({ 'own-2': 0.15 })
    expect(map(values, 'CompletionRatio')).toMatchObject({ 'own-2': 4 })
  })

  it('deletes a model from every map, and takes it back', async () => {
    const { values } = await open('/?prices=visual')
    await field('输入价格 / 1M：own')
    const remove = async (): Promise<void> => {
      await press('own 的操作')
      await userEvent.click(await screen.findByRole('menuitem', { name: '删除' }))
      await screen.findByText('已删除 own，保存后生效')
    }
    await remove()
    expect(screen.queryByLabelText('输入价格 / 1M：own')).toBeNull()
    await userEvent.click(within(screen.getByRole('status')).getByText('撤销'))
    expect((await field('输入价格 / 1M：own')).value).toBe('1.5')
    await remove()
    await userEvent.click(await save())
    await screen.findByText('保存成功')
    expect([map(values, 'ModelRatio'), map(values, 'CompletionRatio'), map(values, 'CacheRatio')]).toEqual([
      { 'gpt-4o': 1.25 },
      {},
      {},
    ])
  })

  it('says when the JSON has to be put right first', async () => {
    await open('/?prices=ratios')
    const json = await panel().findByLabelText<HTMLTextAreaElement>('模型倍率')
    fireEvent.change(json, { target: { value: '{' } })
    await userEvent.click(screen.getByText('可视化倍率设置'))
    expect(await screen.findByText('倍率 JSON 有误，修正后才能使用可视化编辑。')).toBeTruthy()
    await press('去修正')
    expect((await panel().findByLabelText<HTMLTextAreaElement>('模型倍率')).value).toBe('{')
  })

  it('lets administrators below root look, but not write', async () => {
    await open('/?prices=visual', { role: 10 })
    expect((await field('输入价格 / 1M：own')).readOnly).toBe(true)
    expect(screen.queryByRole('button', { name: '添加模型' })).toBeNull()
  })
})

describe('models without a price', () => {
  it('are counted on their tab and filled together', async () => {
    const { values } = await open('/?prices=unset')
    expect(await screen.findByText('2 个未设置')).toBeTruthy()
    await field('输入价格 / 1M：unset-1')
    await press('批量设置（0）')
    expect(await screen.findByText('请先选择需要批量设置的模型')).toBeTruthy()
    await userEvent.click(screen.getByRole('checkbox', { name: /全选|本页/ }))
    await press('批量设置（2）')
    const dialog = within(await screen.findByRole('dialog', { name: '批量设置模型参数' }))
    const fillIn = () => userEvent.click(dialog.getByRole('button', { name: '填充' }))
    await fillIn()
    expect(dialog.getByText('请输入填充值')).toBeTruthy()
    await userEvent.type(dialog.getByLabelText('填充值'), 'x')
    await fillIn()
    expect(dialog.getByText('请输入有效的数字')).toBeTruthy()
    await userEvent.click(dialog.getByRole('combobox', { name: '设置类型' }))
    await userEvent.click(await screen.findByRole('option', { name: '模型倍率和补全倍率' }))
    await userEvent.clear(dialog.getByLabelText('模型倍率'))
    await fillIn()
    expect(dialog.getByText('请输入模型倍率和补全倍率')).toBeTruthy()
    await userEvent.type(dialog.getByLabelText('模型倍率'), '2')
    await userEvent.type(dialog.getByLabelText('补全倍率'), '3')
    await fillIn()
    expect(await screen.findByText('已为 2 个模型填充，保存后生效')).toBeTruthy()
    expect((await field('输入价格 / 1M：unset-2')).value).toBe('4')
    await userEvent.click(await save())
    await screen.findByText('保存成功')
    expect(map(values, 'ModelRatio')).toMatchObject({ 'unset-1': 2, 'unset-2': 2 })
    expect(map(values, 'CompletionRatio')).toMatchObject({ 'unset-1': 3, 'unset-2': 3 })
  })

  it('need an input price before others can relate to it', async () => {
    await open('/?prices=unset')
    await fill('输出价格 / 1M：unset-1', '3')
    expect(await screen.findByText('请先填写大于 0 的输入价格')).toBeTruthy()
  })
})

describe('saving prices', () => {
  it('first shows what would change and what last week would have cost', async () => {
    const { sent } = await open('/?prices=visual')
    await fill('输入价格 / 1M：own', '3')
    const confirm = await save()
    const preview = sent.find(({ path }) => path === '/api/option/price_preview')?.body as {
      changes: { key: string }[]
    }
    expect(preview.changes.map(({ key }) => key).toSorted()).toEqual([
      'AudioRatio',
      'CacheRatio',
      'CompletionRatio',
      'ModelRatio',
    ])
    expect(saves(sent)).toEqual([])
    const dialog = screen.getByRole('dialog', { name: /保存前预览/ })
    const traffic = within(dialog).getByRole('table', { name: '最近 7 天的调用' })
    expect(traffic.textContent).toContain('own1,200$1.00$1.00$1.50+50.0%')
    expect(dialog.textContent).toContain('1,203 次调用，按冻结的收据逐笔重新计算 · 其中 3 次没有收据，按原扣费计入')
    const changes = within(dialog).getByRole('table', { name: '价格变化（2 个模型）' })
    expect(changes.textContent).toContain('own$1.5→$3+100.0%$3→$6+100.0%$0.75→$1.5+100.0%')
    expect(changes.textContent).toContain('unset-1 没有渠道提供')
    expect(changes.textContent).toContain('无→$0.1')
    expect(dialog.textContent).toContain('vip×1→×0.8−20.0%')
    expect(dialog.textContent).toContain('web_search:grok*$5 / 千次→无')
    expect(dialog.textContent).toContain('flex×0.5→×0.4−20.0%')
    expect(within(dialog).queryByRole('alert')).toBeNull()
    await userEvent.click(confirm)
    await screen.findByText('保存成功')
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('says when figures are estimated, and when nothing was logged', async () => {
    const sample = { ...preview.traffic, basis: 'sample' as const, calls: 400_000 }
    const { sent } = await open('/?prices=visual', {
      answers: { 'POST /api/option/price_preview': () => ({ ...preview, traffic: sample }) },
    })
    await fill('输入价格 / 1M：own', '3')
    await save()
    expect(screen.getByText(/调用过多（400,000 次）：按 1,200 张均匀抽样的收据推算，为估计值/)).toBeTruthy()
    await press('取消')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(saves(sent)).toEqual([])
  })

  it('can still be done when the preview fails', async () => {
    const { sent } = await open('/?prices=visual', {
      answers: { 'POST /api/option/price_preview': () => refused('no database') },
    })
    await fill('输入价格 / 1M：own', '3')
    await press('保存：模型倍率设置')
    expect(await screen.findByText('no database')).toBeTruthy()
    await press('仍然保存')
    await screen.findByText('保存成功')
    expect(saves(sent)).toHaveLength(1)
  })

  it('says so when nothing was changed, without a preview', async () => {
    const { sent } = await open('/?prices=visual')
    await field('输入价格 / 1M：own')
    await press('保存：模型倍率设置')
    expect(await screen.findByText('你似乎并没有修改什么')).toBeTruthy()
    expect(sent.some(({ path }) => path === '/api/option/price_preview')).toBe(false)
  })

  it('moves between its tabs with the arrow keys', async () => {
    await open('/?prices=ratios')
    const first = screen.getByRole('tab', { name: '模型倍率设置' })
    first.focus()
    await userEvent.keyboard('{ArrowRight}')
    expect(await screen.findByLabelText('输入价格 / 1M：own')).toBeTruthy()
    expect(screen.getByRole('tab', { name: '可视化倍率设置' }).getAttribute('aria-selected')).toBe('true')
  })
})
