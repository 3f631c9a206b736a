import { beforeEach, describe, expect, it } from 'vitest'
import type { ChannelType } from '../../../lib/api/contract.ts'
import { setLanguage } from '../../../lib/i18n.ts'
import { azure, channel, openai } from '../testing-channels.ts'
import { addModels, bodyOf, changesOf, keysOf, newChannel, valuesOf } from './fields.ts'
import { useChannelFormMessages } from './form-messages.ts'
import { withMember } from './json-text.ts'
import { modelDiff } from './models/offered-models.ts'
import { channelRules } from './rules.ts'

const { say } = useChannelFormMessages

beforeEach(() => setLanguage('zh'))

describe('the values of the form', () => {
  const typeOf = (type: number): ChannelType | undefined => [openai, azure].find((entry) => entry.type === type)
  const rules = channelRules({ say, creating: true, typeOf, language: 'zh' })

  it('uses the required labels', () => {
    expect(rules.name('')).toBe('请填写渠道名称和渠道密钥！')
    expect(rules.key('')).toBe('请填写渠道名称和渠道密钥！')
    expect(rules.models([])).toBe('请至少选择一个模型！')
    expect(rules.mapping('[1]')).toBe('模型映射必须是合法的 JSON 格式！')
    expect(rules.mapping('{"a":1}')).toBe('模型映射必须是合法的 JSON 格式！')
    expect(rules.priority('1.5')).toBe('优先级必须是整数！')
    expect(rules.weight('-1')).toBe('权重必须是非负整数！')
    expect(rules.statusMapping('{"400":"900"}')).not.toBeNull()
    expect(rules.setting('{"proxy":"ftp://x"}')).not.toBeNull()
    expect(rules.setting('{"bills_aborted":"yes"}')).not.toBeNull()
    expect(rules.setting('{"bills_aborted":false}')).toBeNull()
    for (const wrong of ['{"slots":0}', '{"slots":1.5}', '{"first_content_seconds":0}', '{"system_prompt":1}'])
      expect(rules.setting(wrong)).not.toBeNull()
    expect(rules.setting('{"slots":4,"first_content_seconds":2.5,"system_prompt":"be kind"}')).toBeNull()
    expect(rules.baseUrl('api.openai.com', newChannel)).not.toBeNull()
  })

  it('asks for the fields of a type', () => {
    expect(rules.baseUrl('', { ...newChannel, type: 3 })).toBe('请填写AZURE_OPENAI_ENDPOINT')
    expect(rules.baseUrl('', newChannel)).toBeNull()
  })

  it('keeps the stored key when none is typed', () => {
    const editing = channelRules({ say, creating: false, typeOf, language: 'zh' })
    expect(editing.key('')).toBeNull()
    expect(bodyOf(valuesOf(channel())).key).toBe('')
  })

  it('splits costs from the settings and joins them again', () => {
    const setting = JSON.stringify({ proxy: '', cost: { factor: 0.8, models: { m: { input: 1 } } } })
    const stored = channel({ setting })
    const values = valuesOf(stored)
    expect(values.costFactor).toBe('0.8')
    expect(JSON.parse(values.costPrices)).toEqual({ models: { m: { input: 1 } } })
    expect(values.setting).not.toContain('cost')
    expect(changesOf(stored, values)).toEqual({})
    const changed = changesOf(stored, { ...values, costFactor: '', costPrices: '' }).setting
    expect(JSON.parse(changed ?? '')).toEqual({ proxy: '' })
    const cheaper = changesOf(channel(), { ...valuesOf(channel()), costFactor: '0.5' }).setting
    expect(JSON.parse(cheaper ?? '')).toEqual({ cost: { factor: 0.5 } })
  })

  it('checks costs', () => {
    for (const factor of ['-1', 'x', '1e3', '1001']) expect(rules.costFactor(factor)).not.toBeNull()
    for (const factor of ['', '0', '0.85', '1000']) expect(rules.costFactor(factor)).toBeNull()
    for (const text of ['[]', '{"models":{"m":{}}}', '{"other":{}}', '{"discounts":[{"from":"tomorrow","factor":1}]}'])
      expect(rules.costPrices(text)).not.toBeNull()
    expect(rules.costPrices('{"models":{"m":{"call":0.1}},"discounts":[{"to":"2026-12-31","factor":0.9}]}')).toBeNull()
  })

  it('sends of an edit only what was changed', () => {
    const stored = channel({ models: 'a,b', group: 'default,vip', tag: 'west', setting: '{"proxy":""}' })
    expect(changesOf(stored, valuesOf(stored))).toEqual({})
    const edited = { ...valuesOf(stored), name: 'New name', tag: '', key: 'sk-new' }
    expect(changesOf(stored, edited)).toEqual({ name: 'New name', tag: '', key: 'sk-new' })
  })

  it('drops the trailing slash and fills in the version of type 18', () => {
    expect(bodyOf({ ...newChannel, baseUrl: 'https://a.b/ ' }).base_url).toBe('https://a.b')
    expect(bodyOf({ ...newChannel, type: 18 }).other).toBe('v2.1')
  })

  it('has no limit of input tokens unless one is typed', () => {
    expect([bodyOf(newChannel).max_input_tokens, valuesOf(channel()).maxInput]).toEqual([0, ''])
    const limited = valuesOf(channel({ max_input_tokens: 8192 }))
    expect([limited.maxInput, bodyOf(limited).max_input_tokens]).toEqual(['8192', 8192])
    expect([rules.maxInput(''), rules.maxInput('8192')]).toEqual([null, null])
    expect(rules.maxInput('-1')).not.toBeNull()
  })

  it('never shows a null as text', () => {
    expect(Object.values(valuesOf(channel()))).not.toContain('null')
  })

  it('adds no custom model when one of them is there already', () => {
    expect(addModels(['a'], 'b, a')).toEqual({ models: ['a'], exists: true })
    expect(addModels(['a'], 'b，c, b')).toEqual({ models: ['a', 'b', 'c'], exists: false })
  })

  it('counts one key per line that is not empty', () => {
    expect(keysOf('one\n\n two \n')).toEqual(['one', 'two'])
  })

  it('writes settings into their JSON and leaves it empty when nothing is set', () => {
    const on = withMember('{"proxy":"http://p"}', 'force_format', true)
    expect(JSON.parse(on)).toEqual({ proxy: 'http://p', force_format: true })
    expect(withMember('{"force_format":true}', 'force_format', undefined)).toBe('')
  })
})

it('compares the models of a channel with those of its upstream', () => {
  expect(modelDiff(['a', 'old'], ['a', 'new', 'new'])).toEqual({ fresh: ['new'], gone: ['old'], same: ['a'] })
})
