import {
  channelAddress,
  hasCostShape,
  isCacheMarking,
  isChannelProxy,
  isFirstContentLimit,
  isSlotCount,
  isStatusCode,
  isSystemPrompt,
  keyRotations,
} from '@tollgate/contract/channels/channel-rules'
import { isObject } from '@tollgate/contract/json'
import type { ChannelType } from '../../../lib/api/contract.ts'
import { type ConsoleLanguage, textIn } from '../../../lib/i18n.ts'
import { readPriority, readWeight } from '../state.ts'
import { keyIdsOf } from './direct-text.ts'
import { type ChannelValues, vertexType } from './fields.ts'
import type { SayForm } from './form-messages.ts'
import { readObject } from './json-text.ts'

type Check = (value: never, values: ChannelValues) => string | null

const flags: readonly string[] = ['undefined', 'boolean']
const mappingProblem = (text: string, say: SayForm): string | null => {
  const mapping = readObject(text)
  return mapping && Object.values(mapping).every((target) => typeof target === 'string') ? null : say('mappingInvalid')
}

/** A refused member of the settings, empty for the JSON itself, and the reason. */
export interface SettingProblem {
  readonly member: string
  readonly text: string
}

/** The first problem of the channel's settings; undefined if there is none. */
export const settingProblem = (text: string, say: SayForm): SettingProblem | undefined => {
  const setting = readObject(text)
  if (!setting) return { member: '', text: say('settingInvalid') }
  const { slots, first_content_seconds: patience, system_prompt: prompt, system_prompt_override: isFirst } = setting
  const isPrompt = prompt === undefined || isSystemPrompt(prompt)
  const checks: readonly (readonly [string, boolean, Parameters<SayForm>[0]])[] = [
    ['key_rotation', keyRotations.includes(setting.key_rotation), 'rotationInvalid'],
    ['bills_aborted', flags.includes(typeof setting.bills_aborted), 'billsAbortedInvalid'],
    ['cache_marks', setting.cache_marks === undefined || isCacheMarking(setting.cache_marks), 'cacheMarksInvalid'],
    ['slots', slots === undefined || isSlotCount(slots), 'slotsInvalid'],
    ['first_content_seconds', patience === undefined || isFirstContentLimit(patience), 'firstContentInvalid'],
    ['system_prompt', isPrompt && flags.includes(typeof isFirst), 'systemPromptInvalid'],
    ['proxy', isChannelProxy(setting.proxy), 'proxyInvalid'],
  ]
  const refused = checks.find(([, fits]) => !fits)
  return refused && { member: refused[0], text: say(refused[2]) }
}

const factorProblem = (text: string, say: SayForm): string | null =>
  /^\s*(\d{1,4}(\.\d{1,9})?)?\s*$/.test(text) && Number(text) <= 1000 ? null : say('costFactorInvalid')

const costProblem = (text: string, say: SayForm): string | null => {
  const prices = readObject(text)
  const isNamed = prices && !(isObject(prices.models) && '' in prices.models)
  return isNamed && hasCostShape(prices) ? null : say('costPricesInvalid')
}

const headersProblem = (text: string, say: SayForm): string | null => {
  const headers = readObject(text)
  return headers && Object.values(headers).every((value) => typeof value === 'string') ? null : say('headersInvalid')
}

const statusMappingProblem = (text: string, say: SayForm): string | null => {
  const mapping = readObject(text)
  const fits = mapping && Object.entries(mapping).every(([from, to]) => isStatusCode(from) && isStatusCode(to))
  return fits ? null : say('statusMappingInvalid')
}

/** Vertex AI wants a region, or an object of regions with a default. */
const regionProblem = (text: string, say: SayForm): string | null => {
  if (text.trim() === '') return say('regionRequired')
  const regions = text.trim().startsWith('{') ? readObject(text) : undefined
  return regions && !('default' in regions) ? say('regionDefault') : null
}

export interface RuleParts {
  say: SayForm
  creating: boolean
  typeOf: (type: number) => ChannelType | undefined
  language: ConsoleLanguage
}

/** Rules of the channel form. */
export const channelRules = ({ say, creating, typeOf, language }: RuleParts) => {
  const required = (column: ChannelType['fields'][number]['column'], text: string, values: ChannelValues) => {
    const field = typeOf(values.type)?.fields.find((entry) => entry.column === column)
    return field?.required && text.trim() === '' ? say('fieldRequired', { field: textIn(field.label, language) }) : null
  }
  const mayLackKey = (type: number | undefined) => type !== undefined && typeOf(type)?.key_optional === true
  return {
    name: (text: string) => (text.trim() === '' ? say('nameKeyRequired') : null),
    key: (text: string, values?: ChannelValues) =>
      creating && text.trim() === '' && !mayLackKey(values?.type) ? say('nameKeyRequired') : null,
    baseUrl: (text: string, values: ChannelValues) =>
      channelAddress(text) === undefined ? say('baseUrlInvalid') : required('base_url', text, values),
    other: (text: string, values: ChannelValues) =>
      values.type === vertexType ? regionProblem(text, say) : required('other', text, values),
    organization: (text: string, values: ChannelValues) => required('openai_organization', text, values),
    models: (models: string[]) => (models.length === 0 ? say('modelsRequired') : null),
    mapping: (text: string) => mappingProblem(text, say),
    priority: (text: string) => (readPriority(text) === undefined ? say('priorityInvalid') : null),
    weight: (text: string) => (readWeight(text) === undefined ? say('weightInvalid') : null),
    maxInput: (text: string) => (text.trim() === '' || readWeight(text) !== undefined ? null : say('maxInputInvalid')),
    setting: (text: string) => settingProblem(text, say)?.text ?? null,
    costFactor: (text: string) => factorProblem(text, say),
    costPrices: (text: string) => costProblem(text, say),
    headers: (text: string) => headersProblem(text, say),
    rawKeys: (text: string) => (keyIdsOf(text) ? null : say('rawKeysInvalid')),
    rawPrice: (text: string) => (/^\s*(\d{1,6}(\.\d{1,9})?)?\s*$/.test(text) ? null : say('rawPriceInvalid')),
    rawPaths: (text: string) => (/^(\s*\/\S*\s*(\n|$))*\s*$/.test(text) ? null : say('rawPathsInvalid')),
    override: (text: string) => (readObject(text) ? null : say('overrideInvalid')),
    statusMapping: (text: string) => statusMappingProblem(text, say),
  } satisfies Partial<Record<keyof ChannelValues, Check>>
}
