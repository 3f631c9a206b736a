import type { Channel, ChannelJob, ChannelType } from '../../lib/api/contract.ts'

/** An enabled channel with two models. */
export const channel = (fields: Partial<Channel> = {}): Channel => ({
  id: 1,
  type: 1,
  key: '',
  key_hint: '…6789',
  key_count: 1,
  key_enabled: 1,
  openai_organization: null,
  max_input_tokens: 0,
  test_model: null,
  status: 1,
  name: 'Main',
  weight: 5,
  created_time: 1_763_600_000,
  test_time: 0,
  response_time: 0,
  test_status: 0,
  base_url: '',
  other: '',
  balance: 0,
  balance_updated_time: 0,
  models: 'gpt-4o,gpt-4o-mini',
  group: 'default',
  used_quota: 0,
  model_mapping: null,
  status_code_mapping: null,
  priority: 10,
  auto_ban: 1,
  other_info: '',
  tag: null,
  setting: null,
  param_override: null,
  ...fields,
})

export const openai: ChannelType = {
  type: 1,
  name: 'OpenAI',
  label: { zh: 'OpenAI', en: 'OpenAI' },
  color: 'green',
  base_url: 'https://api.openai.com',
  key_hint: { zh: '请输入渠道对应的鉴权密钥', en: 'Enter the key' },
  fields: [],
  models: ['gpt-4o', 'gpt-4o-mini'],
  lists_models: true,
  bills_aborted: false,
  has_balance: true,
  relays: true,
}
/** A job that was never begun. */
export const idleJob: ChannelJob = {
  running: false,
  started_time: 0,
  finished_time: 0,
  done: 0,
  total: 0,
  failed: 0,
  disabled: 0,
  enabled: 0,
  problems: [],
}

/** A type that cannot do without a base URL. */
export const azure: ChannelType = {
  ...openai,
  type: 3,
  name: 'Azure',
  fields: [{ column: 'base_url', label: { zh: 'AZURE_OPENAI_ENDPOINT', en: 'AZURE_OPENAI_ENDPOINT' }, required: true }],
}

/** A server with these channels, all on one page. */
export const answers = (...items: Channel[]) => ({
  'GET /api/channel/types': () => [openai, azure],
  'GET /api/group/': () => ['default'],
  'GET /api/channel/models': () => [],
  'GET /api/channel/health': () => [],
  'GET /api/channel/jobs': () => ({ test: idleJob, balance: idleJob }),
  'GET /api/channel/browse': () => ({ items, total: items.length, page: 1, page_size: 10 }),
})
