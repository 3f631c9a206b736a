import { type BodyOf, type Channel, type ChannelType, channelStatus, type updateChannel } from '@tollgate/contract'
import { isObject, parseJson } from '@tollgate/contract/json'
import { type ChannelEntry, channelEntry } from './site-file.ts'

/** The fields of a channel that a site file describes, but its secret. */
export type ChannelForm = Omit<ChannelEntry, 'key'>

const split = (list: string): string[] => list.split(',').filter((entry) => entry !== '')

/** Whole numbers that JavaScript would round, or decimals that it would write otherwise. */
const longNumber = /\d{16,}|\d\.\d*0(?!\d)|\d[eE]/

/** A stored JSON object as a map; its text where a map would not be the same. */
const mapOf = (text: string | null): string | Readonly<Record<string, unknown>> => {
  if (text === null || text.trim() === '') return ''
  const value = parseJson(text)
  return isObject(value) && !longNumber.test(text) ? { ...value } : text
}

const textOf = (map: ChannelEntry['setting']): string =>
  typeof map === 'string' ? map : Object.keys(map).length === 0 ? '' : JSON.stringify(map, null, 2)

/** A stored channel as a site file describes it. One that the gateway itself has switched off counts as enabled. */
export const formOf = (channel: Channel, types: readonly ChannelType[]): ChannelForm => ({
  name: channel.name,
  type: types.find(({ type }) => type === channel.type)?.name ?? channel.type,
  enabled: channel.status !== channelStatus.disabled,
  base_url: channel.base_url,
  models: split(channel.models),
  groups: split(channel.group),
  model_mapping: mapOf(channel.model_mapping),
  priority: channel.priority,
  weight: channel.weight,
  tag: channel.tag ?? '',
  auto_ban: channel.auto_ban === 1,
  test_model: channel.test_model ?? '',
  max_input_tokens: channel.max_input_tokens,
  openai_organization: channel.openai_organization ?? '',
  other: channel.other,
  status_code_mapping: mapOf(channel.status_code_mapping),
  setting: mapOf(channel.setting),
  param_override: mapOf(channel.param_override),
})

/** The number of a channel type that a file names; undefined where there is none. */
export const typeNumberOf = (type: string | number, types: readonly ChannelType[]): number | undefined =>
  types.find((entry) => entry.name === type || entry.type === type)?.type

type Fields = Omit<BodyOf<typeof updateChannel>, 'id' | 'key'>

/** How the API takes each field. */
const written: { readonly [Name in keyof ChannelForm]: (form: ChannelForm) => Fields } = {
  name: ({ name }) => ({ name }),
  // Needs the list of types; see `fieldsOf`.
  type: () => ({}),
  enabled: ({ enabled }) => ({ status: enabled ? channelStatus.enabled : channelStatus.disabled }),
  base_url: ({ base_url }) => ({ base_url }),
  models: ({ models }) => ({ models: models.join(',') }),
  groups: ({ groups }) => ({ group: groups.join(',') }),
  model_mapping: ({ model_mapping }) => ({ model_mapping: textOf(model_mapping) }),
  priority: ({ priority }) => ({ priority }),
  weight: ({ weight }) => ({ weight }),
  tag: ({ tag }) => ({ tag }),
  auto_ban: ({ auto_ban }) => ({ auto_ban: auto_ban ? 1 : 0 }),
  test_model: ({ test_model }) => ({ test_model }),
  max_input_tokens: ({ max_input_tokens }) => ({ max_input_tokens }),
  openai_organization: ({ openai_organization }) => ({ openai_organization }),
  other: ({ other }) => ({ other }),
  status_code_mapping: ({ status_code_mapping }) => ({ status_code_mapping: textOf(status_code_mapping) }),
  setting: ({ setting }) => ({ setting: textOf(setting) }),
  param_override: ({ param_override }) => ({ param_override: textOf(param_override) }),
}

/** Every field that a file describes, in its order. */
export const formFields = Object.keys(written) as readonly (keyof ChannelForm)[]

/** These fields as the API takes them. */
export const fieldsOf = (
  form: ChannelForm,
  names: readonly (keyof ChannelForm)[],
  types: readonly ChannelType[],
): Fields => ({
  ...Object.assign({}, ...names.map((name) => written[name](form))),
  ...(names.includes('type') ? { type: typeNumberOf(form.type, types) } : {}),
})

/** Defaults of absent fields. */
const {
  name: _name,
  type: _type,
  models: _models,
  ...optional
} = channelEntry.parse({ name: 'x', type: 1, models: ['x'] })
const defaults: Partial<ChannelForm> = optional

/** Without fields that say what their absence says. */
export const shortForm = (form: ChannelForm): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    formFields
      .filter((name) => JSON.stringify(form[name]) !== JSON.stringify(defaults[name]))
      .map((name) => [name, form[name]]),
  )
