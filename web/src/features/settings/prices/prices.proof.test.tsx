import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { setLanguage } from '../../../lib/i18n.ts'
import { field, fill, item, map, open, panel, press, save, saves } from './testing-prices.tsx'

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

  it('shows cache writes and tiers as prices, and keeps them as factors of the input price', async () => {
    const listed = {
      ...item('listed', true),
      quota_type: 0,
      model_ratio: 2,
      completion_ratio: 5,
      cache_creation_ratio: 1.25,
      cache_creation_1h_ratio: 2,
      tiers: { priority: 2.5, batch: 0.5 },
    }
    const { values } = await open('/?prices=visual', {
      answers: {
        'GET /api/pricing': () =>
          Response.json({ success: true, data: [listed], group_ratio: { default: 1 }, usable_group: { default: '' } }),
      },
    })
    await field('输入价格 / 1M：own')
    await press('列')
    for (const name of ['缓存写入 / 1M', '长期缓存写入 / 1M', 'Priority 输入 / 1M', 'Batch 输入 / 1M'])
      await userEvent.click(await screen.findByRole('checkbox', { name }))
    await press('完成')
    const hint = async (part: string) => (await field(`${part} / 1M：listed`)).placeholder
    await waitFor(async () => expect(await hint('缓存写入')).toBe('5'))
    expect([await hint('长期缓存写入'), await hint('Priority 输入'), await hint('Batch 输入')]).toEqual([
      '8',
      '10',
      '2',
    ])
    await fill('缓存写入 / 1M：own', '3')
    await fill('Priority 输入 / 1M：own', '6')
    await fill('长期缓存写入 / 1M：listed', '12')
    expect((await field('缓存写入 / 1M：own')).value).toBe('3')
    // Another input price leaves the price of a write, and the factor of a tier, as they are.
    await fill('输入价格 / 1M：own', '3')
    expect((await field('缓存写入 / 1M：own')).value).toBe('3')
    expect((await field('Priority 输入 / 1M：own')).value).toBe('12')
    await userEvent.click(await save())
    await screen.findByText('保存成功')
    expect(map(values, 'CacheWriteRatio')).toEqual({ own: 1 })
    expect(map(values, 'CacheWrite1hRatio')).toEqual({ listed: 3 })
    expect(map(values, 'ServiceTierRatios')).toMatchObject({ 'priority:own': 4 })
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
    await userEvent.click(screen.getByText('价格编辑'))
    expect(await screen.findByText('倍率 JSON 有误，修正后才能编辑价格。')).toBeTruthy()
    await press('修正')
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
    expect(await screen.findByText('2 个未定价')).toBeTruthy()
    await field('输入价格 / 1M：unset-1')
    await press('批量设置（0）')
    expect(await screen.findByText('请先选择需要批量设置的模型')).toBeTruthy()
    await userEvent.click(screen.getByRole('checkbox', { name: /全选|本页/ }))
    await press('批量设置（2）')
    const dialog = within(await screen.findByRole('dialog', { name: '批量设置价格' }))
    const fillIn = () => userEvent.click(dialog.getByRole('button', { name: '应用' }))
    await fillIn()
    expect(dialog.getByText('请输入填充值')).toBeTruthy()
    await userEvent.type(dialog.getByLabelText('值'), 'x')
    await fillIn()
    expect(dialog.getByText('请输入有效的数字')).toBeTruthy()
    await userEvent.click(dialog.getByRole('combobox', { name: '设置内容' }))
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
